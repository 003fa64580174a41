import type { IncomingMessage } from 'node:http'
import { ApiError } from '../wire/apiError.ts'
import { type Reply, readReply } from './reply.ts'
import { type Reach, resolveTarget, TargetRefusal } from './resolveTarget.ts'
import { sendOnce } from './sendOnce.ts'

export interface Call {
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Asked when the target has turned out to be allowed: real servers look at that first. @throws ApiError */
  headers(): Readonly<Record<string, string>>
  body?: string
  /** Whether a receiver must show a valid certificate. */
  verifyTls: boolean
}

export interface GuardedOptions extends Reach {
  /** Milliseconds for everything together, 10,000 by default. */
  timeoutMs?: number
  /** How many bytes of the last reply's body are read; none by default. */
  keepBytes?: number
}

const usualTimeout = 10_000
const longestChain = 10

/**
 * Calls a web address that a person chose. The address is judged as it is connected to, on every redirect anew, so
 * that a name cannot lead elsewhere than it said.
 * @returns the last reply, whatever its status
 * @throws ApiError in the words of real servers; the path and query of the URL, which may hold a token, are not in it.
 * A target that may not be called is a TargetRefusal
 */
export async function guardedRequest(call: Call, options: GuardedOptions): Promise<Reply> {
  const { reachesInside, timeoutMs = usualTimeout, keepBytes = 0 } = options
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])])
  let next = call
  for (let hops = 0; hops <= longestChain; hops++) {
    const url = targetOf(next.url)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const message = await sendOnce(next, url, await resolveTarget(host, { reachesInside, signal }), signal)
    const redirected = redirectOf(next, url, message)
    if (!redirected) return readReply(message, keepBytes)
    message.destroy()
    next = redirected
  }
  throw new ApiError(`stopped after ${longestChain} redirects`)
}

function targetOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new TargetRefusal('HTTP URL target is not allowed')
}

/**
 * Where a reply leads on, as browsers and real servers follow it. Headers, which may hold a token, stay with their
 * host.
 */
function redirectOf(call: Call, url: URL, { statusCode = 0, headers }: IncomingMessage): Call | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  if (!URL.canParse(headers.location, url)) return undefined
  const next = new URL(headers.location, url)
  // The same host without TLS is another place: everybody on the way would read what was meant for it alone.
  const staysHere = next.host === url.host && (next.protocol === url.protocol || next.protocol === 'https:')
  const repeats = statusCode >= 307 || call.method === 'GET'
  const kept = { ...call, url: next.href, headers: staysHere ? call.headers : () => typeOnly(call.headers()) }
  return repeats ? kept : { ...kept, method: 'GET', body: undefined }
}

const typeOnly = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() === 'content-type'))
