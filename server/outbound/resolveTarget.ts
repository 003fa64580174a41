import type { LookupAddress } from 'node:dns'
import { getServers } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { errorCode } from '../../src/domain/errors.ts'
import { ApiError } from '../wire/apiError.ts'
import { type AddressScope, addressScope } from './addressScope.ts'
import { createConcurrencyLimit } from './concurrencyLimit.ts'
import { isOwnAddress } from './ownAddresses.ts'
import { untilAborted } from './untilAborted.ts'

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
