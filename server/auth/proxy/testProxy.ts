import type { FastifyRequest } from 'fastify'
import type { ProxySettings } from '../../../src/schemas/account/proxySettings.ts'
import type { SignInTestResult } from '../../../src/schemas/endpoints/signInProviderEndpoints.ts'
import { readAddressRanges } from '../addresses/addressRanges.ts'
import { canonicalAddress } from '../addresses/canonicalAddress.ts'
import { ProxyHeaderError, readProxiedPerson } from './proxyHeader.ts'

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
const most = 50

const groupsOf = ({ groups_header }: ProxySettings, groups: readonly string[]) =>
  groups_header === '' ? [] : [{ name: groups_header, value: groups.slice(0, most).join('; ') }]
