/** Where agents reach this server, and whether by TLS. */
export interface AgentAddress {
  /** Host and port. */
  host: string
  tls: boolean
}

/** The address of a page as agents need it: with its port. */
export function agentAddressOf({ protocol, hostname, port }: Pick<Location, 'protocol' | 'hostname' | 'port'>) {
  const tls = protocol === 'https:'
  return { host: `${hostname}:${port || (tls ? 443 : 80)}`, tls } satisfies AgentAddress
}

/** Whether a text can be the address of a server: a host with or without a port, and no URL. */
export const isAgentHost = (text: string): boolean => /^(\[[\da-f:.]+\]|[^\s/:[\]]+)(:\d{1,5})?$/i.test(text)

/** Whether only this machine itself can reach the host. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(\.\d{1,3}){3}$/.test(name)
}
