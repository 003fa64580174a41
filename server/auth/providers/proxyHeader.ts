import type { FastifyRequest } from 'fastify'
import type { ProxySettings } from '../../../src/schemas/account/proxySettings.ts'
import type { SignInTestResult } from '../../../src/schemas/endpoints/signInProviderEndpoints.ts'
import { type AddressRanges, readAddressRanges } from '../addresses/addressRanges.ts'
import { canonicalAddress } from '../addresses/clientAddress.ts'

/** A proxy that names people in a header. */
export interface IdentityProxy extends Omit<ProxySettings, 'addresses'> {
  addresses: AddressRanges
}

/** What a request is made of: the header lines as they came, and the other end of the connection. */
interface ProxiedRequest {
  /** Names and values in turn, as Node has them. */
  rawHeaders: readonly string[]
  socket: { remoteAddress?: string }
}

/** Whom a proxy names, and the groups it says; `undefined` when it is not asked for them. */
export interface ProxiedPerson {
  username: string
  groups: string[] | undefined
}

/** A proxy sends what no proxy would: somebody else may have written it. */
export class ProxyHeaderError extends Error {}

/** Groups, and characters of one: more are of no use in rules. */
const most = { username: 256, groups: 10_000, groupLength: 1024 } as const

/**
 * Whom the proxy names; `undefined` for requests from elsewhere, whose headers say nothing, and without a name.
 * @throws ProxyHeaderError when the header came twice, or has characters that no name has
 */
export function readProxiedPerson(request: ProxiedRequest, proxy: IdentityProxy): ProxiedPerson | undefined {
  if (!proxy.addresses.has(request.socket.remoteAddress ?? '')) return undefined
  const username = readHeader(request, proxy.header)?.trim() ?? ''
  if (username === '') return undefined
  if (username.length > most.username) throw new ProxyHeaderError(`${proxy.header} is too long`)
  return { username, groups: readGroups(request, proxy) }
}

/** Web servers leave out a header that would be empty: without one the person is in no group. */
function readGroups(request: ProxiedRequest, { groups_header, separator }: IdentityProxy): string[] | undefined {
  if (groups_header === '') return undefined
  const groups = (readHeader(request, groups_header) ?? '').split(separator).flatMap((group) => group.trim() || [])
  if (groups.length > most.groups || groups.some((group) => group.length > most.groupLength)) {
    throw new ProxyHeaderError(`${groups_header} has more than ${most.groups} groups, or one that is too long`)
  }
  return [...new Set(groups)]
}

/** @throws ProxyHeaderError when it came twice: one of them is of the client, and which one cannot be known */
function readHeader({ rawHeaders }: ProxiedRequest, name: string): string | undefined {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name.toLowerCase())
  const [value] = values
  if (value === undefined) return undefined
  if (values.length > 1) throw new ProxyHeaderError(`${name} came ${values.length} times`)
  const text = decode(value)
  if (text === undefined || /\p{C}/u.test(text)) throw new ProxyHeaderError(`${name} has characters that no name has`)
  return text
}

/** Node reads headers as Latin-1; proxies write UTF-8. */
function decode(value: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(value, 'latin1'))
  } catch {
    return undefined
  }
}

/** What the proxy would say of the request with which an administrator asks. */
export function testProxy(settings: ProxySettings, { raw }: Pick<FastifyRequest, 'raw'>): SignInTestResult {
  const addresses = readAddressRanges(settings.addresses)
  if (typeof addresses === 'string') return { failure: `addresses has ${addresses}`, answers: [] }
  const peer = canonicalAddress(raw.socket.remoteAddress ?? '')
  const answers = [{ name: 'connection', value: peer }]
  try {
    const person = readProxiedPerson(raw, { ...settings, addresses })
    if (person) {
      const { username, groups = [] } = person
      return { answers: [...answers, { name: settings.header, value: username }, ...groupsOf(settings, groups)] }
    }
    const words = addresses.has(peer)
      ? `this request came through the proxy, and has no ${settings.header}`
      : `this request came from ${peer}, which is none of the addresses: open the console through the proxy and test again`
    return { failure: words, answers }
  } catch (error) {
    if (error instanceof ProxyHeaderError) return { failure: error.message, answers }
    throw error
  }
}

/** Groups that a test shows. */
const mostShown = 50

const groupsOf = ({ groups_header }: ProxySettings, groups: readonly string[]) =>
  groups_header === '' ? [] : [{ name: groups_header, value: groups.slice(0, mostShown).join('; ') }]
