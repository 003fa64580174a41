/** Characters without a special meaning in any shell. */
const safeCharacters = /^[\w@%+=:,./-]+$/

/**
 * Quotes a value for sh, bash and zsh.
 * @throws Error with a text key for control characters: a terminal may act on them before the shell reads the quotes
 */
export function quoteForPosix(value: string): string {
  rejectControlCharacters(value)
  return safeCharacters.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * Quotes a value for PowerShell, where typographic quotes also end a string. Values of safe characters get double quotes.
 * @throws Error with a text key for control characters
 */
export function quoteForPowerShell(value: string): string {
  rejectControlCharacters(value)
  return safeCharacters.test(value) ? `"${value}"` : `'${value.replaceAll(/['‘’‚‛]/g, '$&$&')}'`
}

function rejectControlCharacters(value: string) {
  if (/\p{Cc}/u.test(value)) throw new Error('app.install.control_characters')
}

/** The operating systems with an agent, in the order of the menu. */
export const systems = ['linux', 'macos', 'windows', 'container'] as const
export type System = (typeof systems)[number]

/** Settings of agents that can be chosen before the first start, in the order of the dialog. */
export const agentSwitches = ['disable_command_execute', 'disable_nat', 'disable_auto_update'] as const
export type AgentSwitch = (typeof agentSwitches)[number]

/** The values an agent needs to report to this server. */
export interface InstallSource {
  /** Host and port to report to. */
  host?: string
  tls?: boolean
  secret?: string
  /** The uuid of a known machine. */
  uuid?: string
  /** Switches that are on. */
  switches?: readonly AgentSwitch[]
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
export function installCommand(system: System, { host, tls, secret, uuid, switches = [] }: InstallSource): string {
  if (!host) throw new Error('app.install.host_required')
  if (!secret) throw new Error('app.install.secret_required')
  const values = Object.entries({
    NZ_SERVER: host,
    NZ_TLS: String(Boolean(tls)),
    NZ_CLIENT_SECRET: secret,
    ...(uuid && { NZ_UUID: uuid }),
    ...Object.fromEntries(switches.map((name) => [`NZ_${name.toUpperCase()}`, 'true'])),
  })
  if (system === 'windows') {
    const set = values.map(([name, value]) => `$env:${name}=${quoteForPowerShell(value)};`).join('')
    return `${set}${uuid ? '' : windowsUuid} ${protocols};set-ExecutionPolicy RemoteSigned;Invoke-WebRequest ${scripts}/install.ps1 -OutFile C:\\install.ps1;powershell.exe C:\\install.ps1`
  }
  if (system === 'container') {
    const set = values.map(([name, value]) => `--env ${quoteForPosix(`${name}=${value}`)}`).join(' ')
    return `${uuid ? removeContainer : ''}${containerRun} ${set} alpine:3 sh -c ${quoteForPosix(containerStart)}`
  }
  const set = values.map(([name, value]) => `${name}=${quoteForPosix(value)}`).join(' ')
  // As root: elsewhere the script calls sudo for the agent, names only some of the variables, and the rest is lost.
  return `curl -L ${scripts}/install.sh -o agent.sh && chmod +x agent.sh && $(command -v sudo) env ${set} sh -c ${quoteForPosix(replaceAgent)}`
}

/**
 * The script writes new settings beside those that a machine has, and starts a second agent. So this takes over the UUID
 * of the agent that reports here already, by its secret, and takes it off the machine once the new one is installed;
 * agents that report elsewhere stay. The oldest file comes first.
 */
const replaceAgent = [
  'folder=/opt/nezha/agent',
  'old=$(grep -lsxF -e "client_secret: $NZ_CLIENT_SECRET" -e "uuid: $NZ_UUID" $folder/config.yml $folder/config-*.yml)',
  'if [ -z "$NZ_UUID" ]; then export NZ_UUID=$(sed -n "s/^uuid: //p" $old /dev/null | head -n 1); fi',
  './agent.sh && for file in $old; do $folder/nezha-agent service -c $file uninstall; rm $file; done',
].join('; ')

/** The script deletes the settings of the agent that is there: the UUID of one that reports here is read before. */
const windowsUuid =
  '$old="$(Get-Content C:\\nezha\\config.yml -Raw -ErrorAction Ignore)";' +
  "if($old.Contains($env:NZ_CLIENT_SECRET) -and $old -match 'uuid: ([\\w-]{36})'){$env:NZ_UUID=$Matches[1]};"

/** The container of an agent that is installed again; without this, Docker refuses a second one of that name. */
const removeContainer = 'docker rm --force nezha-agent; '

/** The host's network and processes are what is watched; the volume keeps the program and the uuid of the machine. */
const containerRun =
  'docker run --detach --name nezha-agent --restart unless-stopped --network host --pid host --volume nezha-agent:/agent'

/** There is no image of the agent: a small one fetches the program at its first start. */
const containerStart = [
  'cd /agent || exit 1',
  'if [ ! -x nezha-agent ]; then wget -qO agent.zip https://github.com/nezhahq/agent/releases/latest/download/nezha-agent_linux_$(uname -m | sed "s/x86_64/amd64/;s/i.86/386/;s/aarch64/arm64/;s/armv8./arm64/;s/armv.*/arm/").zip && unzip -qo agent.zip; fi',
  'exec ./nezha-agent -c /agent/config.yml',
].join('; ')

/** The operating system of a machine by its reported platform; `undefined` for others and before the first report. */
export function systemOf(platform: string | undefined): System | undefined {
  const name = platform?.toLowerCase() ?? ''
  if (name.includes('windows')) return 'windows'
  if (name === 'darwin' || name.includes('macos')) return 'macos'
  if (name === '' || /bsd|solaris|illumos|aix|dragonfly|plan9/.test(name)) return undefined
  return 'linux'
}

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
