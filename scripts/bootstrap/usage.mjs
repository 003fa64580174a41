/**
 * What can be asked for instead of a start: `wheelhouse backup FILE` when it is installed, and
 * `npm start -- backup FILE` in the project's folder.
 *
 * @type {Readonly<Record<string, { argument: string, isOptional?: boolean, option?: string, help: string }>>}
 */
const commands = {
  'reset-password': {
    argument: 'USER',
    isOptional: true,
    option: '--remove-second-factor',
    help: `gives a user a new password and shows it; without a name, the first
                  administrator. With --remove-second-factor, authenticator app,
                  passkeys and recovery codes go as well; without it, a terminal
                  asks. Stop the server first.`,
  },
  backup: {
    argument: 'FILE',
    help: `copies the database to a new file, also while the server runs`,
  },
  restore: {
    argument: 'FILE',
    help: `puts such a copy back and keeps the database from before.
                  Stop the server first.`,
  },
}

/**
 * Looks for what is wrong with the words behind the program's name.
 *
 * @param {readonly string[]} args
 * @param {string} program as it is called
 * @returns {string | undefined} a sentence that says what to do, or nothing when the words make sense
 */
export function argumentProblem([name, ...rest], program) {
  if (name === undefined || ['--help', '-h', '--version', '-v'].includes(name)) return undefined
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return `Unknown argument ${name}: ${program} --help lists the commands and settings.`
  const unknown = rest.find((word) => word.startsWith('-') && word !== command.option)
  if (unknown) return `Unknown argument ${unknown}: ${program} --help lists the commands and settings.`
  const values = rest.filter((word) => word !== command.option)
  if (values.length > 1) return `Unknown argument ${values[1]}: ${name} takes one ${command.argument}.`
  if (values.length === 0 && !command.isOptional) return `Say which: ${program} ${name} ${command.argument}`
  return undefined
}

const settings = `Settings, all optional, read from the environment:

  PORT            the port to listen on (8008)
  HOST            the address to listen on (127.0.0.1: this machine only)
  DATA_DIR        where the database and keys are kept
                  (a folder "wheelhouse" in your user's data directory)
  ADMIN_PASSWORD  the admin's password, 8 to 72 bytes; used on the first start only
                  (a generated one, shown once)
  PUBLIC_URL      the address people use when a proxy stands in front, such as
                  https://console.example.org: its host is allowed, its origin may
                  open WebSockets, and cookies are sent over TLS only
  TLS_CERT, TLS_KEY
                  files in PEM with a certificate and its key: browsers and agents are
                  then answered with TLS, and both files are read again when they change
  GEOIP_DB        an address database in the MMDB format, which tells the country of
                  the addresses that agents report
  REAL_IP_HEADER  sets the real-IP header of the site anew: NZ::Use-Peer-IP is the way
                  back in when a wrong one in the settings has shut everybody out
  DISABLE_COMMAND_EXECUTE
                  true switches off tasks, terminals and file managers on this machine;
                  nothing in the console can switch them on again
  WATCH_THIS_MACHINE
                  false leaves out the machine that the server runs on, when only
                  machines with an agent are to be monitored
  ALLOW_UNRELEASED_NAMES
                  true serves the host names of members' NAT profiles at once, without
                  the release of an admin
  ALLOW_PRIVATE_TARGETS
                  true lets what members configure call addresses behind this server:
                  notifiers, services and webhooks; those of admins always may

In front of a Nezha server elsewhere, keeping nothing here:

  UPSTREAM        its scheme and host, such as https://monitor.example.org
  UPSTREAM_CA     a file with certificates in PEM to trust beside the system's
  REAL_IP_HEADER  the header in which that server looks for visitors' addresses
  TRUSTED_PROXY   addresses of proxies in front of this one, whose word about
                  visitors' addresses is taken
`

const listed = Object.entries(commands).map(([name, { argument, isOptional, help }]) => {
  const call = `${name} ${isOptional ? `[${argument}]` : argument}`
  return call.length < 16 ? `  ${call.padEnd(16)}${help}\n` : `  ${call}\n                  ${help}\n`
})

/**
 * What `--help` prints. The settings themselves are read by the server.
 *
 * @param {object} call
 * @param {string} call.program as it is called with arguments
 * @param {string} call.description what it does without any
 * @param {string} call.example
 */
export const usageText = ({ program, description, example }) => `Usage: ${program} [COMMAND]

${description}

Commands, for the data in DATA_DIR:

${listed.join('')}  --version       says which version this is

${settings}
Example:  ${example}
`

export const startUsage = usageText({
  program: 'npm start --',
  description: 'Installs what is missing, builds what is stale, and serves the console together with its server.',
  example: 'PORT=9000 npm start',
})
