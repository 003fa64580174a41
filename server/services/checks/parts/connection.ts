import type { Duplex } from 'node:stream'
import type { starttlsProtocols } from '../../../../src/schemas/checks/tls.ts'
import { parseTarget } from '../../../machines/hosts/host.ts'
import { ClosedWithoutReplyError } from '../../../outbound/failureReason.ts'
import { openTls } from '../../../outbound/openTls.ts'
import { createWaitingBytes } from '../../../outbound/waitingBytes.ts'
import { CheckFailure, type RunContext } from './runner.ts'

/** Bytes that are kept of what has come, and not yet been read. */
const maxWaiting = 256 * 1024
/** Lines of one reply, and characters of all of them. */
const limits = { lines: 200, characters: 256 * 1024 } as const

/** Reads and writes what protocols say to each other, over a connection. */
export interface Conversation {
  write(data: string | Uint8Array): void
  /**
   * Waits for bytes.
   * @param find how many of the bytes that have come belong together; `undefined` while there are too few. `from` is how
   *   many of them it was given before: what it looks for byte by byte is not to be looked for in these again
   */
  read(find: (bytes: Buffer, from: number) => number | undefined): Promise<Buffer>
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
  const waiting = createWaitingBytes()
  let failure: unknown
  let wake = () => {}
  const onData = (bytes: Buffer) => {
    if (waiting.length() === 0) onFirst()
    waiting.add(bytes)
    if (waiting.length() > maxWaiting) stream.pause()
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

  async function read(find: (bytes: Buffer, from: number) => number | undefined): Promise<Buffer> {
    for (let looked = -1; ; ) {
      if (waiting.length() !== looked) {
        const count = find(waiting.all(), Math.max(0, looked))
        if (count !== undefined) {
          const found = waiting.take(count)
          if (waiting.length() <= maxWaiting) stream.resume()
          return found
        }
        looked = waiting.length()
        if (looked > maxWaiting) throw new CheckFailure('too_much')
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
    const bytes = await read((all, from) => {
      const end = all.indexOf(10, from)
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
      for (let left: number = limits.characters; lines.length < limits.lines; ) {
        const next = await line()
        left -= next.length
        if (left < 0) break
        if (isLast(next, lines.push(next) - 1)) return lines
      }
      throw new CheckFailure('too_much')
    },
    bytes: (count) => read((all) => (all.length >= count ? count : undefined)),
    pending: waiting.all,
    release() {
      stream.off('data', onData)
      stream.off('error', fail)
      stream.off('end', onEnd)
      stream.off('close', onEnd)
      signal.removeEventListener('abort', onAbort)
      stream.pause()
      const rest = waiting.all()
      if (rest.length > 0) stream.unshift(rest)
      return stream
    },
  }
}

export interface OpenConnection {
  stream: Duplex
  /** Whether it is known that the target has taken the connection: another machine may only say so with the first byte. */
  isConnected: boolean
}

interface TlsWanted {
  tls?: boolean
  verify_tls?: boolean
  /** The protocols to choose from in TLS. */
  alpn?: readonly string[]
}

/**
 * Connects to `host:port`, and begins TLS where a check asks for it.
 * @throws an error of the connection or of TLS
 */
export async function openConnection(
  target: string,
  context: RunContext,
  { tls = false, ...wanted }: TlsWanted = {},
): Promise<OpenConnection> {
  const { host, port } = parseTarget(target)
  const { stream, name, connect } = await context.dial(host, port, context.signal)
  const { phases } = context
  Object.assign(phases, { ...(name !== undefined && { name }), ...(connect !== undefined && { connect }) })
  if (!tls) return { stream, isConnected: connect !== undefined }
  return { stream: await secured(stream, target, context, wanted), isConnected: true }
}

/**
 * Begins TLS over a connection, which ends when that fails.
 * @param target `host:port`, which the certificate must be for
 * @throws an error of the connection or of TLS
 */
export async function secured(
  stream: Duplex,
  target: string,
  { signal, phases, peers }: RunContext,
  { verify_tls = true, alpn }: Omit<TlsWanted, 'tls'>,
): Promise<Duplex> {
  const startedAt = performance.now()
  try {
    const { host } = parseTarget(target)
    const options = { host, verify: verify_tls, peers, address: target, ...(alpn && { alpn }) }
    const socket = await openTls(stream, options, signal)
    phases.tls = performance.now() - startedAt
    return socket
  } catch (error) {
    stream.destroy()
    throw error
  }
}

/** Talks over a connection of its own, which ends with the talk. */
export async function talkTo<T>(
  target: string,
  context: RunContext,
  options: Parameters<typeof openConnection>[2],
  work: (talk: Conversation) => Promise<T>,
): Promise<T> {
  const { stream } = await openConnection(target, context, options)
  try {
    return await work(timedTalk(stream, context))
  } finally {
    stream.destroy()
  }
}

/** A conversation that notes when its first byte has come. */
export function timedTalk(stream: Duplex, { signal, phases }: RunContext): Conversation {
  const startedAt = performance.now()
  return converse(stream, signal, () => {
    phases.first_byte ??= performance.now() - startedAt
  })
}

/** The lines of one reply of SMTP or FTP, as `250-first`, `250 last`. */
export async function smtpReply(talk: Conversation): Promise<string> {
  const lines = await talk.lines((line, index) => /^\d{3}(?!-)/.test(line) || (index === 0 && !/^\d{3}-/.test(line)))
  return lines.join('\n')
}

type Protocol = Exclude<(typeof starttlsProtocols)[number], ''>

/**
 * Says what each protocol says before TLS begins.
 * @throws CheckFailure when the other side does not offer TLS
 */
export const starttls: Readonly<Record<Protocol, (talk: Conversation) => Promise<void>>> = {
  async smtp(talk) {
    expect(await smtpReply(talk), /^220/)
    talk.write('EHLO wheelhouse.invalid\r\n')
    expect(await smtpReply(talk), /^250/)
    talk.write('STARTTLS\r\n')
    expect(await smtpReply(talk), /^220/)
  },
  async imap(talk) {
    expect(await talk.line(), /^\* (OK|PREAUTH)/i)
    talk.write('a1 STARTTLS\r\n')
    const lines = await talk.lines((line) => !line.startsWith('*'))
    expect(lines.at(-1) ?? '', /^a1 OK/i)
  },
  async pop3(talk) {
    expect(await talk.line(), /^\+OK/i)
    talk.write('STLS\r\n')
    expect(await talk.line(), /^\+OK/i)
  },
  async ftp(talk) {
    expect(await smtpReply(talk), /^220/)
    talk.write('AUTH TLS\r\n')
    expect(await smtpReply(talk), /^234/)
  },
  async postgres(talk) {
    talk.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]))
    const answer = await talk.bytes(1)
    if (answer[0] !== 0x53) throw new CheckFailure('no_starttls', { said: answer.toString('latin1') })
  },
  async ldap(talk) {
    // An extended request with the OID of StartTLS (RFC 4511, 4.14).
    const oid = Buffer.from('1.3.6.1.4.1.1466.20037')
    const operation = Buffer.from([0x77, oid.length + 2, 0x80, oid.length, ...oid])
    talk.write(Buffer.from([0x30, operation.length + 3, 0x02, 0x01, 0x01, ...operation]))
    const answer = await talk.read(berLength)
    // The first code in the answer is its result; 0 is success.
    const at = answer.indexOf(Buffer.from([0x0a, 0x01]))
    if (at < 0 || answer[at + 2] !== 0) throw new CheckFailure('no_starttls', { said: `LDAP ${answer[at + 2] ?? ''}` })
  },
}

function expect(line: string, pattern: RegExp): void {
  if (!pattern.test(line)) throw new CheckFailure('no_starttls', { said: line.slice(0, 200) }, { answer: line })
}

/** How many bytes a BER value has in all; `undefined` until its head has come. */
function berLength(bytes: Buffer): number | undefined {
  const [, first] = bytes
  if (first === undefined) return undefined
  const extra = first & 0x80 ? first & 0x7f : 0
  if (extra > 4) throw new CheckFailure('no_starttls', { said: 'LDAP' })
  if (bytes.length < 2 + extra) return undefined
  const length = extra ? bytes.readUIntBE(2, extra) : first
  return bytes.length >= 2 + extra + length ? 2 + extra + length : undefined
}
