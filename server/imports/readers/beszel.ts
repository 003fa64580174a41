import { createHash } from 'node:crypto'
import { discord, gotify, ntfy, telegram } from '../../../src/domain/notifierPresets/index.ts'
import { mail } from '../../../src/domain/notifierPresets/mail.ts'
import type { PresetValues } from '../../../src/domain/notifierPresets/preset.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import type { ForeignDatabase } from '../../db/foreignDatabase.ts'
import { beszelHistory } from './beszelHistory.ts'
import type { ImportData, ImportedRecord, ImportedServer, ImportedUser, Skipped } from './importData.ts'
import type { ImportReader } from './reader.ts'
import { objectIn, readKind, recordName, requireColumns, ruleFor, samplesOf, textsIn } from './readRows.ts'

const needed = {
  _collections: ['id', 'name'],
  users: ['id', 'email', 'password', 'role'],
  systems: ['id', 'name', 'host', 'users'],
  system_stats: ['system', 'type', 'stats', 'created'],
  alerts: ['system', 'user', 'name', 'value', 'min'],
}

/** Beszel. Its agents speak another protocol: a new one that is given the uuid of its server goes on with its history. */
export const beszelReader: ImportReader = {
  recognizes: (database) => ['_collections', 'systems', 'system_stats'].every((table) => database.columnsOf(table)),
  read(database): ImportData {
    requireColumns(database, 'Beszel', needed)
    const skipped: Skipped[] = []
    const people = readPeople(database, skipped)
    const servers = readServers(database, people, skipped)
    const notifiers = beszelNotifiers(database, people, skipped)
    return {
      kind: 'beszel',
      product: 'Beszel',
      users: [...people.values()],
      servers,
      records: [...notifiers.records, ...readRules(database, servers, people, notifiers.groupOf, skipped)],
      settings: {},
      bindings: [],
      blocked: [],
      skipped,
    }
  },
  history: (database) => beszelHistory(database, new Map(systemIds(database))),
}

/** By their ids. People sign in with their address, which is their name here. */
function readPeople(database: ForeignDatabase, skipped: Skipped[]): Map<string, ImportedUser> {
  const rows = database.rows('users', ['id', 'email', 'password', 'role'], { order: 'created' })
  return new Map(
    readKind(rows, 'user', skipped, (row): [string, ImportedUser] => [
      row.text('id'),
      {
        username: row.text('email'),
        password: row.text('password'),
        role: row.text('role') === 'admin' ? 0 : 1,
        rejectPassword: false,
        agentSecrets: [],
      },
    ]),
  )
}

/** The systems with a number for each, in the order in which they were made. */
const systemIds = (database: ForeignDatabase): [system: string, id: number][] =>
  [...database.rows('systems', ['id'], { order: 'created' })].map((row, index) => [row.text('id'), index + 1])

/** Systems have no uuid: one that follows from their id, so that they are recognized when they come again. */
function uuidOf(system: string): string {
  const hex = createHash('sha256').update(`beszel ${system}`).digest('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

function readServers(
  database: ForeignDatabase,
  people: ReadonlyMap<string, ImportedUser>,
  skipped: Skipped[],
): ImportedServer[] {
  const ids = new Map(systemIds(database))
  const rows = database.rows('systems', ['id', 'name', 'host', 'users'], { order: 'created' })
  return readKind(rows, 'server', skipped, (row): ImportedServer => {
    const id = ids.get(row.text('id')) ?? 0
    const [owner = ''] = textsIn(row.json('users'))
    return {
      entity: 'server',
      id,
      name: recordName(row.text('name'), id),
      uuid: uuidOf(row.text('id')),
      owner: people.get(owner)?.username,
      values: { note: row.text('host') },
    }
  })
}

const MiB = 1024 * 1024

/** What alerts watch, and what a value of one is here. */
const watched: Readonly<Record<string, { type: string; factor?: number }>> = {
  Status: { type: 'offline' },
  CPU: { type: 'cpu' },
  Memory: { type: 'memory' },
  Disk: { type: 'disk' },
  Bandwidth: { type: 'net_all_speed', factor: MiB },
  Temperature: { type: 'temperature_max' },
  LoadAvg1: { type: 'load1' },
  LoadAvg5: { type: 'load5' },
  LoadAvg15: { type: 'load15' },
}

/** A rule for all systems for which somebody has the same alert. */
function readRules(
  database: ForeignDatabase,
  servers: readonly ImportedServer[],
  people: ReadonlyMap<string, ImportedUser>,
  groupOf: (user: string) => number,
  skipped: Skipped[],
): ImportedRecord[] {
  const ids = new Map(systemIds(database))
  const known = new Set(servers.map(({ id }) => id))
  const alerts = new Map<string, { name: string; value: number; minutes: number; user: string; servers: number[] }>()
  for (const row of database.rows('alerts', ['system', 'user', 'name', 'value', 'min'])) {
    const [name, value, minutes, user] = [row.text('name'), row.number('value'), row.integer('min'), row.text('user')]
    const server = ids.get(row.text('system')) ?? 0
    if (!watched[name]) skipped.push({ entity: 'alert-rule', name, code: 'kind_unknown', args: { kind: name } })
    else if (known.has(server)) {
      const key = JSON.stringify([name, value, minutes, user])
      const alert = alerts.get(key) ?? { name, value, minutes, user, servers: [] }
      alerts.set(key, alert)
      alert.servers.push(server)
    }
  }
  return [...alerts.values()].map(({ name, value, minutes, user, servers: members }, index) => {
    const { type = '', factor = 1 } = watched[name] ?? {}
    const limit = type === 'offline' ? {} : { max: value * factor }
    const title = type === 'offline' ? `${name} ${minutes} min` : `${name} > ${value}, ${minutes} min`
    const part = { type, ...limit, duration: samplesOf(minutes * 60) }
    return { ...ruleFor(index + 1, title, groupOf(user), part, members), owner: people.get(user)?.username }
  })
}

/** The notifiers of people, and a group for each of them. */
interface BeszelNotifiers {
  records: readonly ImportedRecord[]
  /** The group of somebody; 0 for none. @param user the id in the file */
  groupOf(user: string): number
}

function beszelNotifiers(
  database: ForeignDatabase,
  people: ReadonlyMap<string, ImportedUser>,
  skipped: Skipped[],
): BeszelNotifiers {
  const mailServer = readMailServer(database)
  const notifiers: ImportedRecord[] = []
  const groups = new Map<string, ImportedRecord>()
  for (const row of database.rows('user_settings', ['user', 'settings'])) {
    const settings = objectIn(row.json('settings')) ?? {}
    const owner = people.get(row.text('user'))?.username
    const own: number[] = []
    const add = (name: string, request: PresetValues) => {
      const id = notifiers.length + 1
      notifiers.push({ entity: 'notification', id, name, owner, values: { ...request, verify_tls: true } })
      own.push(id)
    }
    const addresses = textsIn(settings.emails)
    if (addresses.length > 0 && mailServer)
      add(`mail ${addresses[0]}`, mail.fill({ ...mailServer, to: addresses.join(',') }))
    else if (addresses.length > 0)
      skipped.push({ entity: 'notification', name: addresses.join(', '), code: 'no_mail_server' })
    for (const address of textsIn(settings.webhooks)) {
      const kind = /^[a-z+]+(?=:)/i.exec(address)?.[0] ?? ''
      const request = requestOf(address)
      if (request) add(kind, request)
      else skipped.push({ entity: 'notification', name: kind, code: 'kind_unknown', args: { kind } })
    }
    if (own.length === 0) continue
    const id = groups.size + 1
    const values = { notifications: own }
    groups.set(row.text('user'), { entity: 'notification-group', id, name: owner ?? `#${id}`, owner, values })
  }
  return { records: [...notifiers, ...groups.values()], groupOf: (user) => groups.get(user)?.id ?? 0 }
}

type MailServer = Readonly<Record<'host' | 'port' | 'user' | 'password' | 'from', string>>

/** The mail server of its settings, if one is switched on. */
function readMailServer(database: ForeignDatabase): MailServer | undefined {
  const row = [...database.rows('_params', ['id', 'value'])].find((one) => one.text('id') === 'settings')
  const { smtp, meta } = objectIn(row?.json('value')) ?? {}
  const server: Values = objectIn(smtp) ?? {}
  const from = objectIn(meta)?.senderAddress
  if (server.enabled !== true || typeof server.host !== 'string' || server.host === '') return undefined
  return {
    host: server.host,
    port: String(server.port ?? ''),
    user: String(server.username ?? ''),
    password: String(server.password ?? ''),
    from: String(from ?? ''),
  }
}

/** A notifier of the address that the library shoutrrr has for it; `undefined` for kinds that are not known here. */
function requestOf(address: string): PresetValues | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, host, username, password, pathname, searchParams } = new URL(address)
  const path = pathname.replace(/^\/+/, '')
  switch (protocol) {
    case 'discord:':
      return discord.fill({ url: `https://discord.com/api/webhooks/${hostname}/${username}` })
    case 'telegram:': {
      // A token has a colon in it.
      const token = password === '' ? username : `${username}:${password}`
      const [chat] = (searchParams.get('chats') ?? '').split(',')
      return chat ? telegram.fill({ token: decodeURIComponent(token), chat }) : undefined
    }
    case 'ntfy:':
      return username === '' && path !== '' ? ntfy.fill({ server: `https://${host}`, topic: path }) : undefined
    case 'gotify:':
      return path === '' ? undefined : gotify.fill({ server: `https://${host}`, token: path })
    default:
      return undefined
  }
}
