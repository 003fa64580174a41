/** The ports of mail servers where an address names none; `URL` knows those of the web. */
const mailPorts: Readonly<Record<string, string>> = { 'smtp:': '587', 'smtps:': '465' }

/**
 * Where an address leads: scheme, host and port. It is the same for two addresses that differ in letter case, in a port
 * that is the default, or in what comes behind the host. Placeholders are filled in when something is sent, so an address
 * that has one in its host leads nowhere certain: as one that cannot be read, it is only the same as itself.
 */
export function addressOrigin(address: string): string {
  const [, beforePath] = /^([a-z][a-z\d+.-]*:\/\/[^/?#\\]+)(?:[/?\\]|$)/i.exec(address) ?? []
  if (beforePath === undefined || !URL.canParse(beforePath)) return address
  const { protocol, hostname, port } = new URL(beforePath)
  return `${protocol}//${hostname.toLowerCase()}:${port || (mailPorts[protocol] ?? '')}`
}
