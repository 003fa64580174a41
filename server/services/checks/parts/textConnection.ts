import type { Duplex } from 'node:stream'
import { ClosedWithoutReplyError } from '../../../outbound/failureReason.ts'
import { CheckFailure } from './runner.ts'

/** Bytes that are kept of what has come, and not yet been read. */
const maxWaiting = 256 * 1024
/** Lines of one reply. */
const maxLines = 200

/** Reads and writes what protocols say to each other, over a connection. */
export interface Conversation {
  write(data: string | Uint8Array): void
  /**
   * Waits for bytes.
   * @param find how many of the bytes that have come belong together; `undefined` while there are too few
   */
  read(find: (bytes: Buffer) => number | undefined): Promise<Buffer>
  /** Waits for a line, and gives it without its end. */
  line(): Promise<string>
  /**
   * Waits for the lines of one reply.
   * @param isLast whether a reply ends with a line; `index` counts from 0
   */
  lines(isLast: (line: string, index: number) => boolean): Promise<string[]>
  /** Waits for so many bytes. */
  bytes(count: number): Promise<Buffer>
  /** What has come so far, and was not read. */
  pending(): Buffer
  /** Ends the conversation, and gives the connection with what was not read: for TLS. */
  release(): Duplex
}

/**
 * @param signal ends each waiting
 * @param onFirst called when bytes come while none wait to be read
 * @throws from its functions: what the connection or the signal says; `ClosedWithoutReplyError` at its end;
 *   `CheckFailure` for more than is reasonable
 */
export function converse(stream: Duplex, signal: AbortSignal, onFirst = () => {}): Conversation {
  let waiting: Buffer[] = []
  let length = 0
  let failure: unknown
  let wake = () => {}
  const onData = (bytes: Buffer) => {
    if (length === 0) onFirst()
    waiting.push(bytes)
    length += bytes.length
    if (length > maxWaiting) stream.pause()
    wake()
  }
  const fail = (error: unknown) => {
    failure ??= error
    wake()
  }
  const onEnd = () => fail(new ClosedWithoutReplyError())
  const onAbort = () => fail(signal.reason)
  stream.on('data', onData)
  stream.on('error', fail)
  stream.once('end', onEnd)
  stream.once('close', onEnd)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()

  /** What waits, without a copy where it is one piece: each line of many is looked for in all that waits. */
  const joined = () => (waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting))

  async function read(find: (bytes: Buffer) => number | undefined): Promise<Buffer> {
    for (let looked = -1; ; ) {
      if (length !== looked) {
        looked = length
        const bytes = joined()
        const count = find(bytes)
        if (count !== undefined) {
          waiting = [bytes.subarray(count)]
          length -= count
          if (length <= maxWaiting) stream.resume()
          return bytes.subarray(0, count)
        }
        waiting = [bytes]
        if (length > maxWaiting) throw new CheckFailure('too_much')
        continue
      }
      if (failure) throw failure
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  const decoder = new TextDecoder()
  async function line(): Promise<string> {
    const bytes = await read((all) => {
      const end = all.indexOf(10)
      return end < 0 ? undefined : end + 1
    })
    return decoder.decode(bytes).replace(/\r?\n$/, '')
  }

  return {
    write: (data) => void stream.write(data),
    read,
    line,
    async lines(isLast) {
      const lines: string[] = []
      while (lines.length < maxLines) {
        const next = await line()
        if (isLast(next, lines.push(next) - 1)) return lines
      }
      throw new CheckFailure('too_much')
    },
    bytes: (count) => read((all) => (all.length >= count ? count : undefined)),
    pending: joined,
    release() {
      stream.off('data', onData)
      stream.off('error', fail)
      stream.off('end', onEnd)
      stream.off('close', onEnd)
      signal.removeEventListener('abort', onAbort)
      stream.pause()
      const rest = joined()
      if (rest.length > 0) stream.unshift(rest)
      return stream
    },
  }
}
