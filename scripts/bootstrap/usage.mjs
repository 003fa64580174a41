import { probablyMeant } from './misspelled.mjs'

/** Which server a command is about, when it is not the one in DATA_DIR. */
const serverOptions = { server: 'URL', token: 'TOKEN', user: 'NAME' }

/**
 * What can be asked for instead of a start: `wheelhouse backup FILE` when it is installed, and
 * `npm start -- backup FILE` in the project's folder.
 *
 * `argument` is '' where there is none, and has a space between two words. Options are named with what they take, '' for those that take nothing.
 * `failure` is the exit code for words that make no sense, where 2 has another meaning.
 *
 * @type {Readonly<Record<string, { argument: string, isOptional?: boolean, options?: Readonly<Record<string, string>>, failure?: number, help: string }>>}
 */
const commands = {
  'reset-password': {
    argument: 'USER',
    isOptional: true,
    options: { 'remove-second-factor': '' },
    help: `gives a user a new password and shows it; without a name, the first
                  administrator. With --remove-second-factor, authenticator app,
                  passkeys and recovery codes go as well; without it, a terminal
                  asks. Stop the server first.`,
  },
  backup: {
    argument: 'FILE',
    options: { history: '' },
    help: `copies the database to a new file, also while the server runs; with
                  --history, the charts to a file beside it`,
  },
  restore: {
    argument: 'FILE',
    help: `puts such a copy back, and that of the charts beside it, and keeps
                  what was there before. Stop the server first.`,
  },
  move: {
    argument: '',
    options: { to: 'postgres://…|FILE' },
    help: `copies everything to a PostgreSQL, with the CLUSTER_KEY of its servers, or from
                  the one in DATABASE_URL to a file, and checks the copy. What was there
                  stays. Stop the server first.`,
  },
  doctor: {
    argument: '',
    options: { json: '', env: 'FILE' },
    failure: 3,
    help: `looks at a server that runs: port, TLS, proxy, agents, disk, clock, backups,
                  database and permissions. Ends with exit code 0, 1 for warnings and 2 for
                  what failed. --env FILE reads the settings from a file, --json is for
                  programs`,
  },
  service: {
    argument: 'install|remove',
    options: { print: '', root: 'DIR' },
    help: `makes a service of systemd of the installed program, with a user of its own,
                  or undoes that and keeps the data. --print only shows the unit; --root DIR
                  changes the system in that folder`,
  },
  export: {
    argument: 'FILE',
    options: serverOptions,
    failure: 1,
    help: `writes groups, services, tasks, notifiers, rules and what else people
                  configure to a file in YAML; comments in it stay. Of a server that
                  runs: --server URL with --token TOKEN (or WHEELHOUSE_TOKEN), or with
                  --user NAME and WHEELHOUSE_PASSWORD`,
  },
  plan: {
    argument: 'FILE',
    options: { ...serverOptions, prune: '', secrets: '' },
    failure: 1,
    help: `prints what applying such a file would change, and ends with exit code
                  0 for nothing, 2 for changes and 1 for an error. With --prune, records
                  that the file does not have are deleted; with --secrets, its secrets
                  are sent again`,
  },
  apply: {
    argument: 'FILE',
    options: { ...serverOptions, prune: '', secrets: '', yes: '' },
    failure: 1,
    help: `prints the plan and carries it out: on this server all of it or nothing.
                  A terminal asks first; --yes answers`,
  },
  import: {
    argument: 'KIND FILE',
    options: { plan: '', apply: '', settings: 'FILE' },
    failure: 1,
    help: `takes over what another product has: KIND is nezha, uptime-kuma, beszel or
                  komari, and FILE its database or data folder. --plan prints what would be made, changed and left out,
                  with the exit codes of plan; --apply does it, all of it or nothing. The
                  settings of Nezha are in its config.yaml, in the same folder or named
                  by --settings. Stop the server first, or use the page in its settings.`,
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
  if (command && asksForHelp(rest)) return undefined
  if (!command) return unknownArgument(name, Object.keys(commands), program)
  const { unknown, incomplete, values } = readWords(command, rest)
  if (unknown) return unknownArgument(unknown, optionsOf(command), program)
  if (incomplete) return `Say which: --${incomplete} ${command.options?.[incomplete]}`
  if (values.length > 0 && !command.argument) return `Unknown argument ${values[0]}: ${name} takes none.`
  const { argument } = command
  const count = argument.split(' ').length
  if (values.length > count)
    return `Unknown argument ${values[count]}: ${name} takes ${count === 1 ? `one ${argument}` : argument}.`
  if (values.length < count && argument && !(command.isOptional && values.length === 0))
    return `Say which: ${program} ${name} ${command.argument}`
  return undefined
}

/** @param {{ options?: Readonly<Record<string, string>> }} command */
const optionsOf = ({ options = {} }) => Object.keys(options).map((option) => `--${option}`)

/**
 * @param {string} word
 * @param {readonly string[]} words what could stand there
 * @param {string} program
 */
function unknownArgument(word, words, program) {
  const meant = probablyMeant(word, words)
  if (meant) return `Unknown argument ${word}: did you mean ${meant}?`
  return `Unknown argument ${word}: ${program} --help lists the commands and settings.`
}

/** @param {readonly string[]} words */
const asksForHelp = (words) => words.some((word) => word === '--help' || word === '-h')

/**
 * The exit code for words that make no sense.
 *
 * @param {string | undefined} name the command
 */
export const usageFailure = (name) =>
  (name !== undefined && Object.hasOwn(commands, name) && commands[name]?.failure) || 2

/**
 * The words behind a command whose words make sense: its argument, '' for none, the second one, and its options without
 * the dashes.
 *
 * @param {string} name
 * @param {readonly string[]} words
 * @returns {{ argument: string, second: string, options: Record<string, string | true> }}
 */
export function commandWords(name, words) {
  const command = commands[name]
  const { options, values } = command ? readWords(command, words) : { options: {}, values: [] }
  return { argument: values[0] ?? '', second: values[1] ?? '', options }
}

/**
 * `--server URL` and `--server=URL` are the same.
 *
 * @param {{ options?: Readonly<Record<string, string>> }} command
 * @param {readonly string[]} words
 */
function readWords({ options: described = {} }, words) {
  /** @type {Record<string, string | true>} */
  const options = {}
  /** @type {string[]} */
  const values = []
  /** @type {string | undefined} */
  let unknown
  /** @type {string | undefined} */
  let incomplete
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, name, given] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (!word.startsWith('-')) values.push(word)
    else if (name === undefined || !Object.hasOwn(described, name) || (described[name] === '' && given !== undefined))
      unknown ??= word
    else if (described[name] === '') options[name] = true
    else {
      const value = given ?? words[++at]
      if (value) options[name] = value
      else incomplete ??= name
    }
  }
  return { options, values, unknown, incomplete }
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
  BACKUP_DIR      a folder, best on another disk: the database and the charts are copied
                  to it every day, and the copies are checked
  BACKUP_KEEP     how many of these copies stay (7)
  BACKUP_TIME     when they are made, by this machine's clock (03:00)
  HISTORY_DAYS    how many days charts are kept: 31 to 400, with DATABASE_URL to 3660
                  (31; with DATABASE_URL 400)
  REAL_IP_HEADER  sets the real-IP header of the site anew: NZ::Use-Peer-IP is the way
                  back in when a wrong one in the settings has shut everybody out
  DISABLE_COMMAND_EXECUTE
                  true switches off tasks, terminals and file managers on this machine;
                  nothing in the console can switch them on again
  WATCH_THIS_MACHINE
                  false leaves out the machine that the server runs on, when only
                  machines with an agent are to be monitored
  FORCE_AUTH      true shows visitors nothing before they sign in: no status page, and
                  no metrics of servers and services by the API
  ALLOW_UNRELEASED_NAMES
                  true serves the host names of members' NAT profiles at once, without
                  the release of an admin
  ALLOW_PRIVATE_TARGETS
                  true lets what members configure call addresses behind this server:
                  notifiers, services and webhooks; those of admins always may
  METRICS_ALLOW   addresses and networks, such as 192.0.2.7,10.0.0.0/8, that may read
                  /metrics without an API token, for Prometheus

Several servers with one database, of which one leads and the others take over:

  DATABASE_URL    a PostgreSQL in place of the file in DATA_DIR, such as
                  postgres://wheelhouse:PASSWORD@db.example.org/wheelhouse
  CLUSTER_KEY     32 bytes in base64, the same for all of them; doctor makes one
  CLUSTER_ADDRESS the address, or address:port, at which the others reach this one
                  (that of HOST, and any free port)
  WHEELHOUSE_SCHEMA
                  the schema in that database (wheelhouse)

In front of a Nezha server elsewhere, keeping nothing here:

  UPSTREAM        its scheme and host, such as https://monitor.example.org
  UPSTREAM_CA     a file with certificates in PEM to trust beside the system's
  REAL_IP_HEADER  the header in which that server looks for visitors' addresses
  TRUSTED_PROXY   addresses of proxies in front of this one, whose word about
                  visitors' addresses is taken
`

const settingNames = [...settings.matchAll(/^ {2}([A-Z][A-Z_, ]*[A-Z])(?= {2}|$)/gm)].flatMap(([, names = '']) =>
  names.split(', '),
)

/**
 * Looks for settings whose names are misspelled. Nobody else would: the environment is full of names of other programs,
 * and a switch that forbids something is then off without a word.
 *
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {string[]} a sentence for each
 */
export const misspelledSettings = (environment) =>
  Object.keys(environment).flatMap((name) => {
    // Short names are close to too many others.
    const meant = name.length > 5 && probablyMeant(name, settingNames)
    return meant ? [`${name} is no setting: did you mean ${meant}?`] : []
  })

/** @param {string} name of a command */
function callOf(name) {
  const { argument = '', isOptional } = commands[name] ?? {}
  return `${name} ${isOptional ? `[${argument}]` : argument}`.trim()
}

/**
 * What `--help` behind a command prints.
 *
 * @param {readonly string[]} args
 * @param {string} program as it is called
 * @returns {string | undefined} nothing when it is not asked for
 */
export function commandUsage([name = '', ...rest], program) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command || !asksForHelp(rest)) return undefined
  const options = Object.entries(command.options ?? {}).map(([option, value]) => ` [${`--${option} ${value}`.trim()}]`)
  const help = command.help.replaceAll(/\n +/g, '\n')
  return `Usage: ${program} ${callOf(name)}${options.join('')}\n\n${help[0]?.toUpperCase()}${help.slice(1)}\n`
}

const listed = Object.entries(commands).map(([name, { help }]) => {
  const call = callOf(name)
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
