import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { passwordBytes, passwordLimits } from '../src/schemas/account/password.ts'
import { leastHistoryDays } from '../src/schemas/endpoints/serviceHistory.ts'
import { isHeaderName, usePeerAddress } from '../src/schemas/settings/siteSetting.ts'
import { type AddressRanges, readAddressRanges } from './auth/addresses/addressRanges.ts'
import { StartError } from './log.ts'

/** What has to be known before the server listens. Everything else is set in the console. */
export interface Settings {
  /** 0 takes any free port. */
  port: number
  /** Address or host name to listen on. */
  host: string
  dataDir: string
  /** Password of the first user, when the operator chose it. */
  adminPassword?: string
  /** The value to which this start sets the real-IP header, for the case that a wrong one has locked everybody out. */
  realIpHeader?: string
  /** The URL at which browsers reach the server behind a proxy: scheme and host only. */
  publicUrl?: URL
  /** Files in PEM with the certificate and its key, for TLS of our own. */
  tls?: { cert: string; key: string }
  /** A file in the MMDB format, in which the country of an address is looked up. */
  geoipDatabase?: string
  /** Backups by schedule. */
  backups?: {
    folder: string
    /** How many stay. */
    keep: number
    /** When one is made each day, by this machine's clock. */
    time: { hour: number; minute: number }
  }
  /** Whether tasks, terminals and file managers are off on this machine; nothing in the console can switch them on. */
  commandsDisabled?: boolean
  /** Whether the machine that the server runs on is not monitored. */
  ownMachineIgnored?: boolean
  /** Whether what members configure may call addresses behind this server. */
  allowPrivateTargets?: boolean
  /** Whether host names that members forward are served without the release of an administrator. */
  allowUnreleasedNames?: boolean
  /** Who may read the metrics without signing in. */
  metricsAllow?: AddressRanges
  /** Whether visitors have to sign in before they see anything. */
  forceAuth?: boolean
  /** The PostgreSQL that this server shares with others. Without it the database is a file in `dataDir`. */
  cluster?: {
    url: string
    schema: string
    /** 32 bytes, the same for all of them. */
    key: Buffer
    /** Where the others reach this one, `host` or `host:port`. Default: the address that it listens on, and any port. */
    address?: string
  }
  /** Days for which the charts' longest buckets are kept. */
  historyDays: number
  /** The server behind the gateway: scheme and host only. With it nothing is stored or run here. */
  upstream?: URL
  /** File with certificates to trust for the upstream, beside those that the system trusts. */
  upstreamCa?: string
  /** Addresses of proxies in front of the gateway whose headers about client addresses are trusted. */
  trustedProxies?: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings from the environment. An empty variable counts as absent.
 * @throws StartError for the first bad value
 */
export function readSettings(environment: Environment): Settings {
  const given = (name: string) => environment[name] || undefined
  return {
    port: readPort(given('PORT')),
    host: readHost(given('HOST')),
    dataDir: resolve(given('DATA_DIR') ?? join(userDataFolder(environment), 'wheelhouse')),
    adminPassword: readPassword(given('ADMIN_PASSWORD')),
    publicUrl: readOrigin('PUBLIC_URL', given('PUBLIC_URL'), publicUrlAdvice),
    realIpHeader: readRealIpHeader(given('REAL_IP_HEADER')),
    geoipDatabase: readPath(given('GEOIP_DB')),
    tls: readTlsFiles(given('TLS_CERT'), given('TLS_KEY')),
    backups: readBackups(given),
    ...readGateway(given),
    cluster: readCluster(given),
    historyDays: readHistoryDays(given),
    commandsDisabled: readSwitch('DISABLE_COMMAND_EXECUTE', given('DISABLE_COMMAND_EXECUTE')),
    ownMachineIgnored: !readSwitch('WATCH_THIS_MACHINE', given('WATCH_THIS_MACHINE') ?? 'true'),
    allowPrivateTargets: readSwitch('ALLOW_PRIVATE_TARGETS', given('ALLOW_PRIVATE_TARGETS')),
    forceAuth: readSwitch('FORCE_AUTH', given('FORCE_AUTH')),
    allowUnreleasedNames: readSwitch('ALLOW_UNRELEASED_NAMES', given('ALLOW_UNRELEASED_NAMES')),
    metricsAllow: readMetricsAllow(given('METRICS_ALLOW'), given('UPSTREAM')),
  }
}

/** Whether only this machine can reach a server that listens on `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

function readPort(text = '8008'): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65535) return port
  throw new StartError(`PORT is "${text}": set it to a number from 1 to 65535, or to 0 for any free port.`)
}

function readHost(text = '127.0.0.1'): string {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (/^[\w.:-]+(%\w+)?$/.test(host)) return host
  throw new StartError(
    `HOST is "${text}": set it to the address to listen on, as 127.0.0.1 (this machine only) or 0.0.0.0 (everybody), without scheme and port.`,
  )
}

function readPassword(password: string | undefined): string | undefined {
  if (password === undefined) return undefined
  const { minLength, maxBytes } = passwordLimits
  if (password.length >= minLength && passwordBytes(password) <= maxBytes) return password
  throw new StartError(
    `ADMIN_PASSWORD has ${password.length} characters: choose one of at least ${minLength} (and at most ${maxBytes} bytes), or leave it out to get a generated one.`,
  )
}

const publicUrlAdvice =
  'set it to scheme and host as browsers see them, like https://console.example.org, without a path.'
const upstreamAdvice =
  'set it to scheme and host of the server behind, like https://monitor.example.org, without a path.'

function readOrigin(name: string, text: string | undefined, advice: string): URL | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  if (isPlain) return url
  throw new StartError(`${name} is "${text}": ${advice}`)
}

const readPath = (path: string | undefined) => path && resolve(path)

function readTlsFiles(cert: string | undefined, key: string | undefined): Settings['tls'] {
  if (cert !== undefined && key !== undefined) return { cert: resolve(cert), key: resolve(key) }
  if (cert === undefined && key === undefined) return undefined
  const [given, missing] = cert === undefined ? ['TLS_KEY', 'TLS_CERT'] : ['TLS_CERT', 'TLS_KEY']
  throw new StartError(`${given} is set and ${missing} is not: set both to files in PEM, or leave both out.`)
}

/** A year of daily ones; each is looked at before another is made. */
const maxBackups = 366

function readBackups(given: (name: string) => string | undefined): Settings['backups'] {
  const folder = given('BACKUP_DIR')
  const keep = given('BACKUP_KEEP')
  const time = given('BACKUP_TIME')
  if (folder === undefined) {
    const unused = keep ? 'BACKUP_KEEP' : time && 'BACKUP_TIME'
    if (!unused) return undefined
    throw new StartError(
      `${unused} is set and BACKUP_DIR is not: set BACKUP_DIR to a folder for backups, or leave ${unused} out.`,
    )
  }
  return { folder: resolve(folder), keep: readBackupCount(keep), time: readTimeOfDay(time) }
}

function readBackupCount(text = '7'): number {
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= maxBackups) return count
  throw new StartError(`BACKUP_KEEP is "${text}": set it to the number of backups to keep, from 1 to ${maxBackups}.`)
}

function readTimeOfDay(text = '03:00'): { hour: number; minute: number } {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  if (hour !== undefined && minute !== undefined) return { hour: Number(hour), minute: Number(minute) }
  throw new StartError(`BACKUP_TIME is "${text}": set it to a time of day from 00:00 to 23:59, like 03:00.`)
}

/** The settings of the gateway. */
function readGateway(
  given: (name: string) => string | undefined,
): Pick<Settings, 'upstream' | 'upstreamCa' | 'trustedProxies'> {
  const upstream = readOrigin('UPSTREAM', given('UPSTREAM'), upstreamAdvice)
  const upstreamCa = given('UPSTREAM_CA')
  const proxies = given('TRUSTED_PROXY')
  if (upstream)
    return { upstream, upstreamCa: upstreamCa && resolve(upstreamCa), trustedProxies: readAddresses(proxies) }
  const unused = upstreamCa ? 'UPSTREAM_CA' : proxies && 'TRUSTED_PROXY'
  if (!unused) return {}
  throw new StartError(
    `${unused} is set and UPSTREAM is not: set UPSTREAM to the server behind, or leave ${unused} out.`,
  )
}

const clusterNames = ['CLUSTER_KEY', 'CLUSTER_ADDRESS', 'WHEELHOUSE_SCHEMA'] as const

function readCluster(given: (name: string) => string | undefined): Settings['cluster'] {
  const url = given('DATABASE_URL')
  if (url === undefined) {
    const unused = clusterNames.find((name) => given(name))
    if (unused === undefined) return undefined
    throw new StartError(
      `${unused} is set and DATABASE_URL is not: set DATABASE_URL to a PostgreSQL, or leave ${unused} out.`,
    )
  }
  if (given('BACKUP_DIR'))
    throw new StartError(
      'BACKUP_DIR is set beside DATABASE_URL: set only one of them, because PostgreSQL is backed up with its own programs.',
    )
  if (given('UPSTREAM'))
    throw new StartError('DATABASE_URL is set beside UPSTREAM: set only one of them, because a gateway keeps nothing.')
  if (!isPostgresUrl(url))
    throw new StartError(
      'DATABASE_URL is no address of a PostgreSQL: set it to postgres://USER:PASSWORD@HOST/DATABASE, with all characters of the password but letters and digits as in every URL (@ is %40, / is %2F).',
    )
  const schema = given('WHEELHOUSE_SCHEMA') ?? 'wheelhouse'
  if (!/^[a-z_][a-z0-9_]{0,47}$/.test(schema))
    throw new StartError(
      `WHEELHOUSE_SCHEMA is "${schema}": set it to a name of at most 48 small letters, digits and underscores.`,
    )
  const address = given('CLUSTER_ADDRESS')
  if (address !== undefined && !/^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i.test(address))
    throw new StartError(
      `CLUSTER_ADDRESS is "${address}": set it to an address or name of this machine, as 10.0.0.5:8009.`,
    )
  const key = readClusterKey(given('CLUSTER_KEY'))
  return { url, schema, key, address }
}

/** Whether it is one as it stands: a password with a slash would become a part of the path, and be told in messages. */
function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, hash } = new URL(text)
  return /^postgres(ql)?:$/.test(protocol) && !pathname.includes('@') && hash === ''
}

/** Days of history at most: ten years in PostgreSQL, and a year with the month before it in a file. */
const mostHistoryDays = { postgres: 3660, file: 400 } as const

function readHistoryDays(given: (name: string) => string | undefined): number {
  const isShared = given('DATABASE_URL') !== undefined
  const text = given('HISTORY_DAYS')
  if (text === undefined) return isShared ? 400 : leastHistoryDays
  if (given('UPSTREAM'))
    throw new StartError('HISTORY_DAYS is set beside UPSTREAM: leave it out, because a gateway keeps no history.')
  const most = isShared ? mostHistoryDays.postgres : mostHistoryDays.file
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days >= leastHistoryDays && days <= most) return days
  throw new StartError(
    `HISTORY_DAYS is "${text}": set it to the number of days to keep the history, from ${leastHistoryDays} to ${most}.`,
  )
}

/** The bytes of a key, and of the base64 that it is written in. */
function readClusterKey(text = ''): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length === 32 && /^[\w+/-]{43}=?$/.test(text)) return key
  throw new StartError(
    'CLUSTER_KEY must be 32 bytes in base64, the same for all servers with this DATABASE_URL: "wheelhouse doctor" makes one.',
  )
}

function readAddresses(text = ''): string[] {
  const addresses = text.split(',').flatMap((part) => part.trim() || [])
  const invalid = addresses.find((address) => isIP(address) === 0)
  if (invalid === undefined) return addresses
  throw new StartError(`TRUSTED_PROXY has "${invalid}": set it to the addresses of your proxies, like 127.0.0.1.`)
}

function readMetricsAllow(text: string | undefined, upstream: string | undefined): AddressRanges | undefined {
  if (text === undefined) return undefined
  if (upstream !== undefined) {
    throw new StartError(
      'METRICS_ALLOW is set beside UPSTREAM: set only one of them, because a gateway monitors nothing itself.',
    )
  }
  const ranges = readAddressRanges(text)
  if (typeof ranges !== 'string') return ranges
  throw new StartError(
    `METRICS_ALLOW has ${ranges}: set it to addresses and networks with commas between them, like 192.0.2.7, 10.0.0.0/8, 2001:db8::/32; the bits behind the length of a network are zero.`,
  )
}

/** Refuses unknown spellings: a switch that forbids something must not be read as off. */
function readSwitch(name: string, text = 'false'): boolean {
  if (/^(true|1|yes|on)$/i.test(text)) return true
  if (/^(false|0|no|off)$/i.test(text)) return false
  throw new StartError(`${name} is "${text}": set it to true or false.`)
}

function readRealIpHeader(text: string | undefined): string | undefined {
  if (text === undefined || isHeaderName(text)) return text
  throw new StartError(
    `REAL_IP_HEADER is "${text}": set it to the name of a header, such as X-Real-IP, or to ${usePeerAddress}.`,
  )
}

function userDataFolder(environment: Environment): string {
  if (process.platform === 'win32') return environment.APPDATA || join(homedir(), 'AppData', 'Roaming')
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support')
  // By the XDG specification a relative path is ignored.
  const dataHome = environment.XDG_DATA_HOME
  return dataHome?.startsWith('/') ? dataHome : join(homedir(), '.local', 'share')
}
