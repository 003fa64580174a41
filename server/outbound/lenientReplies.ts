import { Duplex } from 'node:stream'
import { createWaitingBytes, type WaitingBytes } from './waitingBytes.ts'

/** Bytes of the headers of a reply, as Chromium reads them. */
export const maxHeaderSize = 256 * 1024

/**
 * A connection over which an HTTP/1 client reads what browsers read: the head of each reply is put right before the
 * parser sees it. Nothing is passed on to others, so that no two readers can understand it differently.
 */
export function lenientReplies(stream: Duplex): Duplex {
  return new LenientConnection(stream)
}

/** Heads before the one of the reply, as of 100 and 103, that are put right. */
const maxInterim = 20

/** What has come of a head. */
interface Head {
  bytes: WaitingBytes
  /** The last characters, in which its end may begin. */
  last: string
}

class LenientConnection extends Duplex {
  readonly #stream: Duplex
  /** `undefined` after the last one. */
  #head: Head | undefined = noHead()
  /** Heads that have come before the one of the reply. */
  #interim = 0

  constructor(stream: Duplex) {
    super()
    this.#stream = stream
    stream.on('data', (bytes: Buffer) => this.#receive(bytes))
    stream.on('end', () => this.#end())
    stream.on('error', (error) => this.destroy(error))
    stream.on('close', () => this.#end())
  }

  #end(): void {
    if (this.destroyed || this.readableEnded) return
    if (this.#head && this.#head.bytes.length() > 0) this.push(this.#head.bytes.all())
    this.#head = undefined
    this.push(null)
  }

  #receive(bytes: Buffer): void {
    if (this.destroyed) return
    const ready = this.#head ? this.#takeHead(bytes) : bytes
    if (ready.length > 0 && !this.push(ready)) this.#stream.pause()
  }

  /** What the parser may see of the bytes that have come; the rest waits for the end of the head. */
  #takeHead(bytes: Buffer): Buffer {
    const ready: Buffer[] = []
    let rest = bytes
    while (this.#head && rest.length > 0) {
      const whole = this.#wholeHead(this.#head, rest)
      if (!whole) return Buffer.concat(ready)
      const { head, isInterim, after } = repaired(whole)
      ready.push(head)
      rest = after
      // After the limit the parser gets the others as they are.
      this.#head = isInterim && ++this.#interim <= maxInterim ? noHead() : undefined
    }
    return Buffer.concat([...ready, rest])
  }

  /** All that has come of a head, with what came behind it; `undefined` while its end is missing. */
  #wholeHead(head: Head, bytes: Buffer): Buffer | undefined {
    const searched = head.last + bytes.toString('latin1')
    head.bytes.add(bytes)
    head.last = searched.slice(-3)
    // Each byte is looked at once, however small the parts are in which they come.
    if (/\n\r?\n/.test(searched)) return head.bytes.all()
    const length = head.bytes.length()
    const mayCome = length < firstBytes || (length <= 2 * maxHeaderSize && isHttp(head.bytes.all()))
    return mayCome ? undefined : head.bytes.all()
  }

  override _read(): void {
    this.#stream.resume()
  }

  override _write(chunk: Uint8Array, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#stream.write(chunk, encoding, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#stream.end(() => done())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#stream.destroy()
    done(error)
  }
}

const nothing = Buffer.alloc(0)
const noHead = (): Head => ({ bytes: createWaitingBytes(), last: '' })
/** Bytes after which it is clear whether they are HTTP. */
const firstBytes = 16
const isHttp = (bytes: Buffer) => /^[\s\S]{0,4}(HTTP\/|ICY )/i.test(bytes.toString('latin1', 0, firstBytes))

/** A head as the parser takes it, and what came behind it. */
function repaired(bytes: Buffer): { head: Buffer; isInterim: boolean; after: Buffer } {
  const text = bytes.toString('latin1')
  const end = /\r?\n\r?\n/.exec(text)
  // Too long, or something else: the parser says so.
  if (!end || !isHttp(bytes)) return { head: bytes, isInterim: false, after: nothing }
  const { head, isInterim } = repairedHead(text.slice(0, end.index))
  return { head: Buffer.from(head, 'latin1'), isInterim, after: bytes.subarray(end.index + end[0].length) }
}

/** The head of a reply as the parser takes it. @param text Latin-1, without the empty line at its end */
function repairedHead(text: string): { head: string; isInterim: boolean } {
  const [first = '', ...lines] = text.split('\n').map((line) => line.replace(/\r$/, ''))
  // Each takes all of the rest, whatever is in it: where it could not, a long line would be tried again from everywhere.
  const [, protocol = '', version = '', rest = ''] = /(HTTP\/|ICY)([\d.]*)\s*(.*)$/is.exec(first) ?? []
  const isOld = protocol.toUpperCase() === 'ICY' || Number(version) < 1.1
  const [, code = '200', phrase = ''] = /^(\d{3})(?!\d)\s*(.*)$/s.exec(rest) ?? []
  const fields = readFields(lines)
  const head = [
    `HTTP/1.${isOld ? 0 : 1} ${code} ${phrase.replaceAll('\r', '')}`,
    ...framed(fields, isOld).map(([name, value]) => `${name}: ${value}`),
  ]
  return { head: `${head.join('\r\n')}\r\n\r\n`, isInterim: code.startsWith('1') && code !== '101' }
}

type Field = readonly [name: string, value: string]

/** The header fields: without lines that are none, with folded lines joined. */
function readFields(lines: readonly string[]): Field[] {
  const joined: string[] = []
  for (const line of lines) {
    if (/^[ \t]/.test(line) && joined.length > 0) joined[joined.length - 1] += ` ${line.trim()}`
    else joined.push(line)
  }
  return joined.flatMap((line) => {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim()
    // Browsers leave out a line whose name is none.
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return []
    return [[name, printable(line.slice(colon + 1).trim())] as const]
  })
}

/** Fields with one statement about the length of the body: chunks before a length, and a length once. */
function framed(fields: readonly Field[], isOld: boolean): Field[] {
  const is = (name: string) => (field: Field) => field[0].toLowerCase() === name
  const isChunked =
    !isOld && fields.filter(is('transfer-encoding')).some(([, value]) => /(^|,)\s*chunked\s*$/i.test(value))
  const lengths = fields
    .filter(is('content-length'))
    .flatMap(([, value]) => value.split(',').map((one) => one.trim()))
    .filter((one) => /^\d+$/.test(one))
  const others = fields.filter((field) => !is('transfer-encoding')(field) && !is('content-length')(field))
  if (isChunked) return [...others, ['Transfer-Encoding', 'chunked']]
  // Two different ones stay, and are refused: nobody knows where the body ends.
  return [...others, ...[...new Set(lengths)].map((length): Field => ['Content-Length', length])]
}

/** Without control characters, which browsers leave out, too. */
const printable = (text: string) => text.replaceAll(/(?![\t\x80-\x9f])\p{Cc}/gu, '')
