import { isIP } from 'node:net'

/** Headers in which proxies send addresses and names that clients have called. Those of the client are not forwarded. */
const clientAddressHeaders = [
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-client-ip',
  'x-cluster-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'true-client-ip',
  'fastly-client-ip',
]

const names = new Set([...clientAddressHeaders, 'x-real-ip', 'nz-realip'])

/** Some servers read `x_real_ip` as `x-real-ip`, as CGI has it. */
export const usualName = (name: string) => name.toLowerCase().replaceAll('_', '-')

/** Whether a header, in any spelling, is one in which proxies send addresses and names that clients have called. */
export function isForwardingHeader(name: string): boolean {
  const usual = usualName(name)
  return names.has(usual) || usual.startsWith('x-forwarded-')
}

/** What browsers put numbers with dots into; no server reads an address there. */
const neverAddresses = ['cookie', 'authorization', 'user-agent']

/**
 * Whether a header of a client could be taken for its address. The server behind may read one of any name, so the value
 * decides: it has an IP address in it, or the name is one that proxies use.
 * @param name in lower case
 */
export function isAddressHeader(name: string, value: string | readonly string[] | undefined): boolean {
  if (isForwardingHeader(name)) return true
  return !neverAddresses.includes(name) && [value ?? ''].flat().some(hasAddress)
}

function hasAddress(text: string): boolean {
  const candidates = text.match(/[\da-f]*[.:][\da-f.:]+/gi) ?? []
  return candidates.some((candidate) => isIP(candidate) !== 0 || isIP(candidate.replace(/:\d*$/, '')) !== 0)
}
