import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { BindRequest, ExtendedRequest, type Filter, FilterParser, SearchRequest, UnbindRequest } from 'ldapts'
import { errorMessage } from '../../../src/domain/errors.ts'
import { DialError, dialFromHere } from '../../outbound/dial.ts'
import { failureCode, failureReason } from '../../outbound/failureReason.ts'
import { openTls } from '../../outbound/openTls.ts'
import { untilAborted } from '../../outbound/untilAborted.ts'
import { isLoopbackAddress } from '../addresses/clientAddress.ts'
import { createReplyReader, type Entry, type Reply } from './replies.ts'

/** How to reach a directory. */
export interface DirectoryAddress {
  /** `ldaps://host`, or `ldap://host` with StartTLS, or without on this machine; a port may follow. */
  url: string
  startTls: boolean
  /** In PEM: authorities that are trusted in place of the usual ones; '' for those. */
  ca: string
}

export interface SearchOptions {
  base: string
  scope: 'base' | 'sub'
  /** With all that people typed escaped. */
  filter: string
  attributes: readonly string[]
}

/** A connection to a directory. One request at a time; the signal that it was opened with ends it. */
export interface DirectoryConnection {
  /**
   * Signs in with a name that is not empty and a password that is not: a directory lets in everybody without one.
   * @throws DirectoryError when the directory does not say whether it accepts them
   */
  bind(name: string, password: string): Promise<BindResult>
  /** @throws DirectoryError, also when the directory sends only a part of what it found */
  search(options: SearchOptions): Promise<Entry[]>
  /** How many entries a search finds; `more` when the directory, or the limit here, cut it off. @throws DirectoryError */
  count(options: Omit<SearchOptions, 'attributes'>): Promise<{ found: number; more: boolean }>
  close(): void
}

/** `expired`: the password is right, and must be changed before it lets anybody in. */
export type BindResult = 'good' | 'refused' | 'expired'

/** A directory cannot be used; the message says why, for the operator. */
export class DirectoryError extends Error {}

/** What a directory may send over one connection. */
export const directoryLimits = { bytes: 8 * 1024 * 1024, entries: 10_000, seconds: 10 } as const

const operations = { bindResponse: 0x61, searchDone: 0x65, extendedResponse: 0x78 } as const
const sizeLimitExceeded = 4
const invalidCredentials = 49
const startTlsOid = '1.3.6.1.4.1.1466.20037'

/** Result codes of RFC 4511 that say that a name or password is not accepted; the rest are trouble of the directory. */
const refusals = new Set([
  19, // constraint violation: too many attempts
  32, // no such object
  34, // no valid name
  48, // the entry has no password
  invalidCredentials,
  50, // may not sign in
  53, // unwilling to perform: the account is disabled
])

/**
 * What Active Directory says beside invalid credentials when the password is right, and expired or to be changed at first.
 * Its own words count: other directories repeat a name that a stranger has typed.
 */
const expiredPassword =
  /^[\da-f]{8}: LdapErr: DSID-[\da-f]{8}, comment: AcceptSecurityContext error, data (532|773), v/i

const codeNames: Readonly<Record<number, string>> = {
  1: 'operations error: it wants a sign-in first',
  3: 'time limit exceeded',
  4: 'size limit exceeded: it found more than it sends',
  7: 'this way to sign in is not supported',
  8: 'a stronger way to sign in is required',
  10: 'another server is responsible (referral)',
  11: 'administrative limit exceeded',
  13: 'TLS is required',
  32: 'no such object',
  34: 'invalid DN',
  49: 'invalid credentials',
  50: 'insufficient access rights',
  51: 'busy',
  52: 'unavailable',
  53: 'unwilling to perform',
}

/**
 * Connects, with TLS where the address says so.
 * @param signal ends it
 * @throws DirectoryError before anything secret is sent, when the way there is not safe or does not work
 */
export async function connectToDirectory(
  { url, startTls, ca }: DirectoryAddress,
  signal: AbortSignal,
): Promise<DirectoryConnection> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const isTls = protocol === 'ldaps:'
  // An administrator writes the address: it is usually in the own network.
  const dial = dialFromHere({ allowPrivate: true })
  try {
    const { stream } = await dial(host, Number(port) || (isTls ? 636 : 389), signal)
    if (isTls) return open(await openTls(stream, { host, ca, verify: true }, signal), signal)
    if (startTls) return await upgrade(stream, { host, ca }, signal)
    // What the name stood for when it was written says nothing about now.
    if (stream instanceof Socket && isLoopbackAddress(stream.remoteAddress ?? '')) return open(stream, signal)
    stream.destroy()
    throw new DirectoryError('a password would be sent in clear: use ldaps:// or StartTLS')
  } catch (error) {
    throw inWords(error, signal)
  }
}

/** Begins TLS. What came in clear before it is not taken for a part of what is said under its protection. */
async function upgrade(stream: Duplex, { host, ca }: { host: string; ca: string }, signal: AbortSignal) {
  const exchange = openExchange(stream, signal)
  const request = new ExtendedRequest({ messageId: exchange.nextId(), oid: startTlsOid })
  const { code, text } = await exchange.send(request.write(), operations.extendedResponse)
  if (code !== 0) {
    stream.destroy()
    throw new DirectoryError(`StartTLS is refused: ${describeCode(code, text)}`)
  }
  if (exchange.release() > 0) {
    stream.destroy()
    throw new DirectoryError('more than the answer came before TLS had begun: somebody may be in between')
  }
  return open(await openTls(stream, { host, ca, verify: true }, signal), signal)
}

function open(stream: Duplex, signal: AbortSignal): DirectoryConnection {
  const { send, nextId } = openExchange(stream, signal)
  return {
    async bind(name, password) {
      if (name === '' || password === '') throw new DirectoryError('there is no sign-in without a name and a password')
      const { code, text } = await send(
        new BindRequest({ messageId: nextId(), dn: name, password }).write(),
        operations.bindResponse,
      )
      if (code === 0) return 'good'
      if (code === invalidCredentials && expiredPassword.test(text)) return 'expired'
      if (refusals.has(code)) return 'refused'
      throw new DirectoryError(describeCode(code, text))
    },
    async search(options) {
      const { code, text, entries } = await send(searchRequest(nextId(), options), operations.searchDone)
      if (code !== 0) throw new DirectoryError(describeCode(code, text))
      return entries
    },
    async count(options) {
      const request = searchRequest(nextId(), { ...options, attributes: ['1.1'] }, directoryLimits.entries)
      const { code, text, entries } = await send(request, operations.searchDone)
      if (code !== 0 && code !== sizeLimitExceeded) throw new DirectoryError(describeCode(code, text))
      return { found: entries.length, more: code !== 0 }
    },
    close() {
      if (stream.destroyed) return
      stream.end(new UnbindRequest({ messageId: nextId() }).write(), () => stream.destroy())
    },
  }
}

/** @param sizeLimit 0 for none: a list that the directory cuts off must not be taken for the whole one */
function searchRequest(messageId: number, { base, scope, filter, attributes }: SearchOptions, sizeLimit = 0): Buffer {
  return new SearchRequest({
    messageId,
    baseDN: base,
    scope,
    filter: parseFilter(filter),
    attributes: [...attributes],
    timeLimit: directoryLimits.seconds,
    sizeLimit,
  }).write()
}

function parseFilter(filter: string): Filter {
  try {
    return FilterParser.parseString(filter)
  } catch (error) {
    throw new DirectoryError(`the filter ${JSON.stringify(filter)} cannot be read`, { cause: error })
  }
}

interface Result {
  code: number
  text: string
  entries: Entry[]
}

/** Sends requests and reads the replies. */
function openExchange(stream: Duplex, signal: AbortSignal) {
  let id = 0
  let received = 0
  const replies = createReplyReader(directoryLimits.bytes)
  let waiting:
    | { operation: number; entries: Entry[]; resolve(result: Result): void; reject(error: unknown): void }
    | undefined

  function fail(error: unknown): void {
    waiting?.reject(error)
    waiting = undefined
    stream.destroy()
  }

  function onData(bytes: Buffer): void {
    try {
      received += bytes.length
      if (received > directoryLimits.bytes) throw new DirectoryError('it sends more than 8 MiB')
      for (const reply of replies.add(bytes)) handle(reply)
    } catch (error) {
      fail(error)
    }
  }

  function handle(reply: Reply): void {
    if (!waiting || reply.id !== id) throw new DirectoryError('it ends the connection, or answers what was not asked')
    if (reply.kind === 'reference') return
    if (reply.kind === 'entry') {
      if (waiting.entries.length >= directoryLimits.entries)
        throw new DirectoryError('it finds more than 10,000 entries')
      waiting.entries.push(reply.entry)
      return
    }
    if (reply.operation !== waiting.operation) throw new DirectoryError('it answers something else than what was asked')
    const { resolve, entries } = waiting
    waiting = undefined
    resolve({ code: reply.code, text: reply.text, entries })
  }

  const onClose = () => fail(new DirectoryError('it closed the connection without an answer'))
  stream.on('data', onData).on('error', fail).on('close', onClose)
  signal.addEventListener('abort', () => stream.destroy(), { once: true })
  return {
    nextId: () => ++id,
    send: async (message: Buffer, operation: number): Promise<Result> => {
      const result = new Promise<Result>((resolve, reject) => {
        waiting = { operation, entries: [], resolve, reject }
        if (stream.destroyed) onClose()
        else stream.write(message)
      })
      try {
        return await untilAborted(result, signal)
      } catch (error) {
        stream.destroy()
        throw inWords(error, signal)
      }
    },
    /** Hands the stream over. @returns the bytes that came and were not asked for */
    release(): number {
      stream.off('data', onData).off('error', fail).off('close', onClose)
      return replies.waiting() + stream.readableLength
    },
  }
}

/** Characters of what a directory says about an error. */
const maxText = 200

function describeCode(code: number, text: string): string {
  const name = codeNames[code] ?? 'an error'
  const said = text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxText)
  return `it answers "${name}" (${code})${said ? `: ${said}` : ''}`
}

function inWords(error: unknown, signal: AbortSignal): DirectoryError {
  if (error instanceof DirectoryError) return error
  if (signal.aborted)
    return new DirectoryError(`it did not answer within ${directoryLimits.seconds} seconds`, { cause: error })
  const cause = error instanceof DialError ? error.cause : error
  const words = failureCode(cause) === '' ? errorMessage(cause) : failureReason(cause)
  return new DirectoryError(words, { cause: error })
}
