import { createHash } from 'node:crypto'
import type { ForeignDatabase } from '../../db/foreignDatabase.ts'
import { beszelHistory } from './beszelHistory.ts'
import { beszelNotifiers } from './beszelNotifiers.ts'
import type { ImportData, ImportedRecord, ImportedServer, ImportedUser, Skipped } from './importData.ts'
import type { ImportReader } from './reader.ts'
import { readKind, recordName, requireColumns, ruleFor, samplesOf, textsIn } from './readRows.ts'

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
