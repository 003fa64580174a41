import type { Socket } from 'node:net'

interface SniffOptions {
  /** The beginnings that are told apart, in Latin-1. */
  expected: readonly string[]
  /** Milliseconds after which a connection that has sent nothing, or too little to tell, is ended. */
  timeoutMs: number
  /** Whether enough has been read. Default: when the beginnings can be told apart. */
  isEnough?(read: Buffer): boolean
}

/** Bytes that are read at most. */
const mostBytes = 32 * 1024

/** What a connection has sent so far, as one piece: from version 26 on, Node gives its pieces one by one. */
export function readArrived(socket: Socket): Buffer {
  const pieces: Buffer[] = []
  for (let piece: Buffer | null = socket.read(); piece !== null; piece = socket.read()) pieces.push(piece)
  return Buffer.concat(pieces)
}

/**
 * Reads the first bytes of a connection and puts them back.
 * @param onStart gets the expected beginning that it has, '' for none of them, and what has been read
 */
export function sniffStart(
  socket: Socket,
  { expected, timeoutMs, isEnough = () => true }: SniffOptions,
  onStart: (start: string, read: Buffer) => void,
): void {
  const end = () => socket.destroy()
  const silence = setTimeout(end, timeoutMs)
  // No listener stays: each would be kept for as long as the connection lives, with what has been read.
  const stopWaiting = () => clearTimeout(silence)
  const longest = Math.max(...expected.map((text) => text.length))
  let read = Buffer.alloc(0)

  function sniff(): void {
    read = Buffer.concat([read, readArrived(socket)])
    const text = read.toString('latin1', 0, longest)
    const found = expected.find((one) => text.startsWith(one))
    const isTooShort = expected.some((one) => one.length > text.length && one.startsWith(text))
    if (found === undefined && isTooShort) return
    if (read.length < mostBytes && !isEnough(read)) return
    stopWaiting()
    socket.off('close', stopWaiting)
    socket.off('readable', sniff)
    socket.off('end', end)
    socket.off('error', end)
    socket.unshift(read)
    onStart(found ?? '', read)
  }

  socket.on('readable', sniff)
  socket.on('end', end)
  // A reset before the first byte; 'close' follows.
  socket.on('error', end)
  socket.on('close', stopWaiting)
}

/** The types of a record of TLS and of the message in it that open a connection, and of the extension for protocols. */
const [handshake, clientHello, protocols] = [22, 1, 16] as const

/**
 * The protocols that a client offers over TLS, by the first bytes of its connection (RFC 8446, 4.1.2, and RFC 7301).
 * @returns none when it offers none, and when its first message has not arrived whole
 */
export function offeredProtocols(bytes: Buffer): string[] {
  if (bytes[0] !== handshake || bytes[5] !== clientHello) return []
  try {
    // Behind the head of the record, that of the message, a version and 32 random bytes.
    let at = 5 + 4 + 2 + 32
    at += 1 + bytes.readUInt8(at)
    at += 2 + bytes.readUInt16BE(at)
    at += 1 + bytes.readUInt8(at)
    const end = at + 2 + bytes.readUInt16BE(at)
    at += 2
    while (at < end) {
      const [type, length] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)]
      at += 4
      if (type === protocols) return namesIn(bytes.subarray(at, at + length))
      at += length
    }
    return []
  } catch (error) {
    // It goes on where nothing has arrived yet.
    if (error instanceof RangeError) return []
    throw error
  }
}

/** @throws RangeError when the list is longer than its bytes */
function namesIn(list: Buffer): string[] {
  const names: string[] = []
  const end = 2 + list.readUInt16BE(0)
  for (let at = 2; at < end; at += 1 + list.readUInt8(at)) {
    names.push(list.toString('latin1', at + 1, at + 1 + list.readUInt8(at)))
  }
  return names
}

/** Whether the first message of a connection with TLS has arrived; others have none. It may come in several packets. */
export const hasFirstMessage = (bytes: Buffer): boolean =>
  bytes[0] !== handshake || (bytes.length >= 5 && bytes.length >= 5 + bytes.readUInt16BE(3))
