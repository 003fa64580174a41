import { getServers } from 'node:dns'
import { isIP } from 'node:net'
import { ApiError } from '../wire/apiError.ts'
import { lookUp } from './dnsLookup.ts'
import { placeOf } from './targets.ts'

export interface Reach {
  /** Whether addresses behind this server may be called: private networks and this machine itself. */
  reachesInside: boolean
  /** Ends the wait for names. */
  signal?: AbortSignal
}

/** A target that may not be called, now or ever: trying again is of no use. */
export class TargetRefusal extends ApiError {}

/**
 * The addresses behind a host name, or the one that `host` is, when all of them may be called. Whoever connects must
 * connect to these: asking for the name again could give others.
 * @param host a name or an address, IPv6 without brackets
 * @param what names the target in the refusal
 * @throws TargetRefusal when it may not be called, ApiError when there is no such name
 */
export async function resolveTarget(
  host: string,
  { reachesInside, signal }: Reach,
  what = 'HTTP URL target',
): Promise<[string, ...string[]]> {
  const [first, ...others] = isIP(host) || host === '' ? [host] : await resolve(host, signal)
  const found = [first, ...others].map((address) => placeOf(address ?? ''))
  if (first === undefined || found.includes('nobody')) throw new TargetRefusal(`${what} is not allowed`)
  if (found.includes('inside') && !reachesInside) {
    throw new TargetRefusal(
      `${what} is not allowed: it lies in a network behind this server. Only administrators may name such targets, ` +
        'unless the server is started with ALLOW_PRIVATE_TARGETS=true',
    )
  }
  return [first, ...others]
}

async function resolve(host: string, signal: AbortSignal | undefined): Promise<string[]> {
  let stopWaiting = () => {}
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new ApiError(`lookup ${host}: i/o timeout`))
    if (signal?.aborted) fail()
    signal?.addEventListener('abort', fail, { once: true })
    stopWaiting = () => signal?.removeEventListener('abort', fail)
  })
  const found = lookUp(host).catch((cause: NodeJS.ErrnoException) => {
    const [server] = getServers()
    const why = cause.code === 'ENOTFOUND' ? 'no such host' : 'server misbehaving'
    throw new ApiError(`lookup ${host}${server ? ` on ${withPort(server)}` : ''}: ${why}`)
  })
  try {
    return (await Promise.race([found, late])).map(({ address }) => address)
  } finally {
    stopWaiting()
  }
}

const withPort = (server: string) => (isIP(server) === 6 ? `[${server}]:53` : isIP(server) ? `${server}:53` : server)
