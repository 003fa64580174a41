import { getServers, type LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, connect, isIP, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Duplex } from 'node:stream'
import { errorCode } from '../../src/domain/errors.ts'
import { fieldsIn } from '../../src/schemas/define/values.ts'
import { ApiError } from '../wire/apiCall.ts'
import { type AddressScope, addressScope } from './addressScope.ts'
import { createConcurrencyLimit } from './concurrencyLimit.ts'
import { untilAborted } from './untilAborted.ts'

/** A connection to a port, and how long it took. */
export interface Dialed {
  stream: Duplex
  /** Milliseconds for the name; absent where another machine looks it up. */
  name?: number
  /** Milliseconds until the connection was made; absent where another machine makes it, and does not say when. */
  connect?: number
}

/**
 * Opens a connection: from this server, or from another machine.
 * @param host a name or an address, IPv6 without brackets
 * @param signal aborts the attempt
 * @throws ApiError, or an error of the connection
 */
export type Dial = (host: string, port: number, signal: AbortSignal) => Promise<Dialed>

/** The connection was refused, or failed; `cause` says why. */
export class DialError extends Error {
  readonly address: string

  constructor(address: string, cause: unknown) {
    super('the connection failed', { cause })
    this.address = address
  }
}

/**
 * Connects from this server, to addresses that were checked.
 * @param targetLabel names the target in the error
 * @throws DialError, TargetNotAllowedError when the target may not be called, ApiError when the name does not exist
 */
export const dialFromHere =
  ({ allowPrivate }: Pick<TargetRules, 'allowPrivate'>, targetLabel?: string): Dial =>
  async (host, port, signal) => {
    const startedAt = performance.now()
    const addresses = await resolveTarget(host, { allowPrivate, signal }, targetLabel)
    const resolvedAt = performance.now()
    try {
      const stream = await openSocket(addresses, port, signal)
      return { stream, name: resolvedAt - startedAt, connect: performance.now() - resolvedAt }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const { address } = fieldsIn(error)
      throw new DialError(typeof address === 'string' ? address : addresses[0], error)
    }
  }

/** Milliseconds after which the next address is tried as well, as RFC 8305 has it. */
const nextAddressMs = 250

/** Attempts at the addresses of a name: whoever owns it can enter thousands, those of others among them. */
const maxAttempts = 16

/** Errors of a machine without a way to an address, as without IPv6: what another address says is worth more. */
const noWay = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * Connects to one of these addresses and no other: the first that answers. None is given up for the next one, as Node
 * does after a quarter of a second: a slow way may be the only one. IPv4 and IPv6 take turns; 16 addresses are tried.
 * @param signal aborts the attempt; it has no effect afterwards
 * @throws the error of the first address that can be reached at all
 */
export function openSocket(
  addresses: readonly [string, ...string[]],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const left = inTurns(addresses).slice(0, maxAttempts)
    const trying = new Set<Socket>()
    let timer: NodeJS.Timeout | undefined
    let failure: Error | undefined

    const abort = () => settle(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    tryNext()

    function tryNext(): void {
      clearTimeout(timer)
      const host = left.shift()
      if (host === undefined) {
        if (trying.size === 0) settle(() => reject(failure))
        return
      }
      const socket = connect({ host, port })
      trying.add(socket)
      socket.once('connect', () => {
        trying.delete(socket)
        socket.setNoDelay(true)
        settle(() => resolve(socket))
      })
      // It stays: whoever gets the socket listens a turn later, and an error that nobody hears would end the process.
      socket.on('error', (error) => {
        if (!trying.delete(socket)) return
        if (!failure || noWay.has(errorCode(failure) ?? '')) failure = error
        tryNext()
      })
      if (left.length > 0) timer = setTimeout(tryNext, nextAddressMs)
    }

    function settle(done: () => void): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      for (const socket of trying) socket.destroy()
      trying.clear()
      done()
    }
  })
}

/** IPv4 and IPv6 by turns, beginning with the kind of the first: all of a kind may be out of reach. */
function inTurns(addresses: readonly string[]): string[] {
  const preferred = isIP(addresses[0] ?? '')
  const first = addresses.filter((address) => isIP(address) === preferred)
  const second = addresses.filter((address) => isIP(address) !== preferred)
  const turns = Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [
    first[index],
    second[index],
  ])
  return turns.flat().filter((address) => address !== undefined)
}

/**
 * Lookups at once. Each one occupies a thread of libuv's pool, which file access and password hashing need too, until
 * the resolver answers or gives up; see `start/processLimits.ts`.
 */
const concurrency = createConcurrencyLimit(12)
const pending = new Map<string, Promise<LookupAddress[]>>()

/** All addresses of a name by the system's resolver. Simultaneous lookups of one name share one answer. */
export function dnsLookup(host: string): Promise<LookupAddress[]> {
  const current = pending.get(host)
  if (current) return current
  const addresses = concurrency.run(() => lookup(host, { all: true })).finally(() => pending.delete(host))
  pending.set(host, addresses)
  return addresses
}

/** A name could not be looked up; `code` says why, as Node does. */
export class LookupError extends ApiError {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

export interface TargetRules {
  /** Whether private networks and this machine itself may be called. */
  allowPrivate: boolean
  /** Aborts the name lookup. */
  signal?: AbortSignal
}

/** The target may not be called; a retry cannot succeed. */
export class TargetNotAllowedError extends ApiError {}

/**
 * Resolves a host name and checks that all of its addresses may be called. Callers must connect to the returned
 * addresses: another lookup of the name could return different ones (DNS rebinding).
 * @param host a name or an address, IPv6 without brackets
 * @param targetLabel names the target in the error
 * @throws TargetNotAllowedError when an address may not be called, ApiError when the name does not exist
 */
export async function resolveTarget(
  host: string,
  { allowPrivate, signal }: TargetRules,
  targetLabel = 'HTTP URL target',
): Promise<[string, ...string[]]> {
  const [first, ...others] = isIP(host) || host === '' ? [host] : await resolveName(host, signal)
  const scopes = [first, ...others].map((address) => targetScope(address ?? ''))
  if (first === undefined || scopes.includes('forbidden'))
    throw new TargetNotAllowedError(`${targetLabel} is not allowed`)
  if (scopes.includes('private') && !allowPrivate) {
    throw new TargetNotAllowedError(
      `${targetLabel} is not allowed: it lies in a network behind this server. Only administrators may name such targets, ` +
        'unless the server is started with ALLOW_PRIVATE_TARGETS=true',
    )
  }
  return [first, ...others]
}

/** An address of this machine itself counts as private, whatever network it belongs to. */
function targetScope(address: string): AddressScope {
  const scope = addressScope(address)
  return scope === 'public' && isOwnAddress(address) ? 'private' : scope
}

async function resolveName(host: string, signal: AbortSignal | undefined): Promise<string[]> {
  try {
    const lookup = dnsLookup(host)
    return (await (signal ? untilAborted(lookup, signal) : lookup)).map(({ address }) => address)
  } catch (cause) {
    if (signal?.aborted) throw new LookupError(`lookup ${host}: i/o timeout`, 'ETIMEDOUT')
    const [server] = getServers()
    const code = errorCode(cause) ?? ''
    const reason = code === 'ENOTFOUND' ? 'no such host' : 'server misbehaving'
    throw new LookupError(`lookup ${host}${server ? ` on ${withPort(server)}` : ''}: ${reason}`, code || 'EAI_FAIL')
  }
}

const withPort = (server: string) => (isIP(server) === 6 ? `[${server}]:53` : isIP(server) ? `${server}:53` : server)

/** How long the addresses are remembered: many checks may come at once, and reading them takes a system call for each. */
const freshMs = 1000

let list = new BlockList()
let readAt = Number.NEGATIVE_INFINITY

/**
 * Whether an address is one of this machine's own, public ones too: what listens on it may rely on nobody else coming
 * from here. The interfaces are read again after a second, so that a new address counts.
 * @param address an IP address in any notation
 */
function isOwnAddress(address: string): boolean {
  if (performance.now() - readAt >= freshMs) {
    readAt = performance.now()
    list = ownAddresses()
  }
  const ip = withoutZone(address)
  return list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

function ownAddresses(): BlockList {
  const own = new BlockList()
  for (const { address } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])) {
    const ip = withoutZone(address)
    own.addAddress(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
  }
  return own
}

const withoutZone = (address: string) => address.replace(/%.*$/, '')
