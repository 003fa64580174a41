import { ConnectError } from './host.ts'

/**
 * Splits the target of a NAT profile.
 * @param target `host:port`; an IPv6 address in brackets
 * @returns the host without brackets
 * @throws ConnectError when it is not one
 */
export function parseTarget(target: string): { host: string; port: number } {
  const [, bracketed, name, digits] = /^(?:\[(.*)\]|([^:]*)):(\d{1,5})$/.exec(target) ?? []
  const host = bracketed ?? name
  const port = Number(digits)
  if (!host || !(port >= 1 && port <= 65_535)) throw new ConnectError(invalidTarget)
  return { host, port }
}

/** The target of a host and a port: an IPv6 address is put in brackets. */
export const hostWithPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`

const invalidTarget = 'The target behind this name is not one: it must be a host and a port.'

/** For addresses that are never allowed, as those of metadata services of clouds. */
export const targetNotAllowed = 'The target behind this name is not allowed.'
