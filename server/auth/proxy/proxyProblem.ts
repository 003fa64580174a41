import type { ProxySettings } from '../../../src/schemas/account/proxySettings.ts'
import { readAddressRanges } from '../addresses/addressRanges.ts'

/** Headers that every client may send, or that mean something else here: they name nobody. */
const otherHeaders = [
  'accept',
  'authorization',
  'connection',
  'cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
  'x-csrf-token',
]

/** What is wrong with the settings of a proxy, and what to do; `undefined` when they can be used. */
export function proxyProblem(settings: ProxySettings): string | undefined {
  const { addresses, groups_header, sign_out_url } = settings
  const ranges = readAddressRanges(addresses)
  if (typeof ranges === 'string') {
    return `addresses has ${ranges}: give addresses and networks with commas between them, like 192.0.2.7, 10.0.0.0/24; the bits behind the length of a network are zero`
  }
  // Web servers take underscores and hyphens for the same, or drop such headers.
  const bad = (['header', 'groups_header'] as const).find((name) => !/^[a-z\d-]*$/i.test(settings[name]))
  if (bad) return `${bad}: give the name of a header of letters, digits and hyphens, like Remote-User`
  const other = [settings.header, groups_header].find((name) => otherHeaders.includes(name.toLowerCase()))
  if (other !== undefined) return `header: every client may send ${other}: choose one that the proxy alone writes`
  if (isTarget(sign_out_url)) return undefined
  return 'sign_out_url: give an address with https://, or a path of this host that begins with one /'
}

/** An address of the web, or a path of the same host; not of another one (`//host`). */
const isTarget = (text: string) =>
  text === '' || /^\/(?![/\\])[^\s\\]*$/.test(text) || (/^https?:\/\//i.test(text) && URL.canParse(text))
