import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One message that a browser sent over a socket, fragments put together. Of long ones only the beginning is kept. */
export interface SentMessage {
  opcode: 'text' | 'binary'
  length: number
  /** The first bytes, 512 at most. */
  head: Buffer
  /** Milliseconds since the socket was asked for. */
  after: number
}

export interface FrameTap {
  /** The server, seen through the tap: `http://127.0.0.1:<port>`. */
  address: string
  /** What was sent over sockets so far, one list per socket and in the order in which they were opened. */
  sent(kind: 'terminal' | 'file'): SentMessage[][]
  /** Takes so many bytes more from sockets and then no more, until it is called again. */
  stallAfter(bytes: number): void
  /** Gives so many bytes more to sockets and then no more. What is on hold is lost when they are broken. */
  holdBackAfter(bytes: number): void
  /** Breaks the sockets that are open. */
  cut(): void
  close(): Promise<void>
}

const headBytes = 512

/**
 * Stands between a browser and a server and listens to what leaves the browser, whether by a page or by a worker: no
 * tool of the browser shows the sockets of both.
 */
export async function tapFrames(server: string): Promise<FrameTap> {
  const { hostname, port } = new URL(server)
  const taps: { kind: string; messages: SentMessage[] }[] = []
  const open = new Set<Socket>()
  const stalled = new Map<Socket, Socket>()
  const heldBack = new Map<Socket, Socket>()
  const tapped = new Set<Socket>()
  let allowed = Number.POSITIVE_INFINITY
  let delivered = Number.POSITIVE_INFINITY
  const tap = createServer((browser) => {
    const upstream = connect(Number(port), hostname)
    for (const [from, to] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      open.add(from)
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.on('error', () => {})
      from.pipe(to)
    }
    listen(browser, (kind, messages) => {
      taps.push({ kind, messages })
      tapped.add(browser)
      browser.on('close', () => tapped.delete(browser))
      upstream.on('data', (bytes) => {
        delivered -= bytes.length
        if (delivered >= 0) return
        upstream.unpipe(browser)
        upstream.pause()
        heldBack.set(upstream, browser)
      })
      browser.on('data', (bytes) => {
        allowed -= bytes.length
        if (allowed >= 0) return
        browser.unpipe(upstream)
        browser.pause()
        stalled.set(browser, upstream)
      })
    })
  })
  await new Promise<void>((resolve) => tap.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(tap.address() as AddressInfo).port}`,
    sent: (kind) => taps.filter((one) => one.kind === kind).map(({ messages }) => messages),
    stallAfter(bytes) {
      allowed = bytes
      for (const [browser, upstream] of stalled) browser.pipe(upstream)
      stalled.clear()
    },
    holdBackAfter(bytes) {
      delivered = bytes
      for (const [upstream, browser] of heldBack) upstream.pipe(browser)
      heldBack.clear()
    },
    cut() {
      for (const socket of tapped) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        tap.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}

const upgrade = /^GET \/api\/v1\/ws\/(terminal|file)\//

/** Reads a connection that turns out to be a socket; a browser opens a new one for each. */
function listen(browser: Socket, found: (kind: string, messages: SentMessage[]) => void): void {
  let head: Buffer = Buffer.alloc(0)
  let read: ((bytes: Buffer) => void) | undefined
  browser.on('data', (bytes) => {
    if (read) return read(bytes)
    if (head.length > 0 || upgrade.test(bytes.toString('latin1', 0, 64))) head = Buffer.concat([head, bytes])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    const messages: SentMessage[] = []
    found(upgrade.exec(head.toString('latin1'))?.[1] ?? '', messages)
    read = createReader(messages)
    read(head.subarray(end + 4))
  })
}

/** Puts frames (RFC 6455) together to messages. Those of a browser are always masked. */
function createReader(messages: SentMessage[]): (bytes: Buffer) => void {
  const began = performance.now()
  let waiting: Buffer = Buffer.alloc(0)
  let frame: { left: number; at: number; mask: Buffer; isLast: boolean; opcode: number } | undefined
  let message: SentMessage | undefined

  function readHeader(): boolean {
    const [first = 0, second = 0] = waiting
    const short = second & 0x7f
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0
    const length = 2 + extra + 4
    if (waiting.length < length) return false
    const left = extra === 0 ? short : extra === 2 ? waiting.readUInt16BE(2) : Number(waiting.readBigUInt64BE(2))
    const mask = Buffer.from(waiting.subarray(length - 4, length))
    frame = { left, at: 0, mask, isLast: (first & 0x80) !== 0, opcode: first & 0x0f }
    if (frame.opcode === 1 || frame.opcode === 2) {
      const opcode = frame.opcode === 1 ? 'text' : 'binary'
      message = { opcode, length: 0, head: Buffer.alloc(0), after: performance.now() - began }
    }
    waiting = waiting.subarray(length)
    return true
  }

  function readContent(): void {
    if (!frame) return
    const part = waiting.subarray(0, frame.left)
    waiting = waiting.subarray(part.length)
    // Pings and closes have opcodes from 8 on and may stand between the fragments of a message.
    if (message && frame.opcode < 8) {
      const { mask, at } = frame
      const head = part.subarray(0, Math.max(0, headBytes - message.head.length))
      const plain = Buffer.from(head.map((byte, index) => byte ^ (mask[(at + index) % 4] ?? 0)))
      message.head = Buffer.concat([message.head, plain])
      message.length += part.length
    }
    frame.at += part.length
    frame.left -= part.length
    if (frame.left > 0) return
    if (message && frame.isLast && frame.opcode < 8) messages.push(message)
    frame = undefined
  }

  return (bytes) => {
    waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
    for (;;) {
      if (!frame && !readHeader()) return
      readContent()
      if (frame) return
    }
  }
}
