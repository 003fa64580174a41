import { quoteForPosix, quoteForPowerShell } from './shellQuote.ts'

/** The operating systems with an agent, in the order of the menu. */
export const systems = ['linux', 'macos', 'windows'] as const
export type System = (typeof systems)[number]

/** The values an agent needs to report to this server. */
export interface InstallSource {
  /** Host and port to report to. */
  host?: string
  tls?: boolean
  secret?: string
  /** The uuid of a known machine. */
  uuid?: string
}

const scripts = 'https://raw.githubusercontent.com/nezhahq/scripts/main/agent'

/** Old Windows versions do not enable TLS 1.2 by default, and the download needs it. */
const protocols =
  '[Net.ServicePointManager]::SecurityProtocol = ' +
  ['Ssl3', 'Tls', 'Tls11', 'Tls12'].map((name) => `[Net.SecurityProtocolType]::${name}`).join(' -bor ')

/**
 * The command that installs an agent (docs/contract/CONTRACT.md#9-placeholders-notes-install-commands), ready to be
 * pasted into a shell.
 * @throws Error with a text key if a value is missing or cannot be written into a command
 */
export function installCommand(system: System, { host, tls, secret, uuid }: InstallSource): string {
  if (!host) throw new Error('app.install.host_required')
  if (!secret) throw new Error('app.install.secret_required')
  const values = Object.entries({
    NZ_SERVER: host,
    NZ_TLS: String(Boolean(tls)),
    NZ_CLIENT_SECRET: secret,
    ...(uuid && { NZ_UUID: uuid }),
  })
  if (system === 'windows') {
    const set = values.map(([name, value]) => `$env:${name}=${quoteForPowerShell(value)};`).join('')
    return `${set} ${protocols};set-ExecutionPolicy RemoteSigned;Invoke-WebRequest ${scripts}/install.ps1 -OutFile C:\\install.ps1;powershell.exe C:\\install.ps1`
  }
  const set = values.map(([name, value]) => `${name}=${quoteForPosix(value)}`).join(' ')
  return `curl -L ${scripts}/install.sh -o agent.sh && chmod +x agent.sh && env ${set} ./agent.sh`
}

/** The operating system of a machine by its reported platform; `undefined` for others and before the first report. */
export function systemOf(platform: string | undefined): System | undefined {
  const name = platform?.toLowerCase() ?? ''
  if (name.includes('windows')) return 'windows'
  if (name === 'darwin' || name.includes('macos')) return 'macos'
  if (name === '' || /bsd|solaris|illumos|aix|dragonfly|plan9/.test(name)) return undefined
  return 'linux'
}
