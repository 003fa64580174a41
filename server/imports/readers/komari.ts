import { contractOfNote } from '../../../src/domain/contract/noteContract.ts'
import { telegram } from '../../../src/domain/notifierPresets/index.ts'
import { type Contract, type ContractCycle, contract } from '../../../src/schemas/machines/contract.ts'
import type { ForeignDatabase, ForeignRow } from '../../db/foreignDatabase.ts'
import type { ImportData, ImportedRecord, ImportedServer, Skipped } from './importData.ts'
import type { ImportReader } from './reader.ts'
import { idSetOf, objectIn, readKind, recordName, requireColumns, ruleFor, samplesOf, textsIn } from './readRows.ts'

const needed = {
  clients: ['uuid', 'name'],
  users: ['username', 'passwd'],
  ping_tasks: ['id', 'name', 'type', 'target', 'interval'],
  offline_notifications: ['client', 'enable', 'grace_period'],
  load_notifications: ['id', 'name', 'metric', 'threshold', 'interval'],
}

/** Komari. Its agents speak another protocol: a new one that is given the uuid goes on as the same server. */
export const komariReader: ImportReader = {
  recognizes: (database) => ['clients', 'ping_tasks'].every((table) => database.columnsOf(table) !== undefined),
  read(database): ImportData {
    requireColumns(database, 'Komari', needed)
    const skipped: Skipped[] = []
    const servers = readServers(database, skipped)
    const ids = new Map(servers.map(({ uuid, id }) => [uuid, id]))
    const idsOf = (value: unknown) => textsIn(value).flatMap((uuid) => ids.get(uuid) ?? [])
    const settings = new Map(
      [...database.rows('configs', ['key', 'value'])].map((row) => [row.text('key'), row.json('value')]),
    )
    const notifiers = readNotifiers(database, String(settings.get('notification_method') ?? ''), skipped)
    const group = notifiers.length > 0 ? 1 : 0
    const siteName = settings.get('sitename')
    return {
      kind: 'komari',
      product: 'Komari',
      users: [...database.rows('users', ['username'])].map((row) => ({
        username: row.text('username'),
        // Its hash is of another kind.
        password: '',
        role: 0,
        rejectPassword: false,
        agentSecrets: [],
      })),
      servers,
      records: [
        ...readGroups(database, ids),
        ...notifiers,
        ...readServices(database, idsOf, skipped),
        ...readOfflineRules(database, ids, group),
        ...readLoadRules(database, idsOf, group, skipped),
      ],
      settings: typeof siteName === 'string' && siteName !== '' ? { site_name: siteName } : {},
      bindings: [],
      blocked: [],
      skipped,
    }
  },
  // Its measurements are in another file.
  history: () => [],
}

function readServers(database: ForeignDatabase, skipped: Skipped[]): ImportedServer[] {
  const columns = [
    ...['uuid', 'name', 'tags', 'hidden', 'weight', 'price', 'currency', 'billing_cycle', 'auto_renewal', 'expired_at'],
    ...['traffic_limit', 'traffic_limit_type', 'remark', 'public_remark'],
  ]
  let id = 0
  return readKind(database.rows('clients', columns, { order: 'weight' }), 'server', skipped, (row): ImportedServer => {
    id++
    const tags = row
      .text('tags')
      .split(';')
      .flatMap((tag) => (tag.trim() === '' ? [] : [`#${tag.trim().replaceAll(/\s+/g, '-')}`]))
    const note = billingNote(row)
    return {
      entity: 'server',
      id,
      name: recordName(row.text('name'), id),
      uuid: row.text('uuid'),
      values: {
        // The lowest is the first there, and the last one here.
        display_index: -row.integer('weight'),
        hide_for_guest: row.flag('hidden'),
        note: [row.text('remark'), tags.join(' ')].filter(Boolean).join('\n'),
        public_note: note,
        contract: contractOf(row, note),
      },
    }
  })
}

function readGroups(database: ForeignDatabase, ids: ReadonlyMap<string, number>): ImportedRecord[] {
  const members = new Map<string, number[]>()
  for (const row of database.rows('clients', ['uuid', 'group'])) {
    const [name, id] = [row.text('group').trim(), ids.get(row.text('uuid'))]
    if (name !== '' && id !== undefined) members.set(name, [...(members.get(name) ?? []), id])
  }
  return [...members].map(([name, servers], index): ImportedRecord => {
    return { entity: 'server-group', id: index + 1, name: recordName(name, index + 1), values: { servers } }
  })
}

/** The sender in use, and a group with it. */
function readNotifiers(database: ForeignDatabase, inUse: string, skipped: Skipped[]): ImportedRecord[] {
  if (inUse === '' || inUse === 'none') return []
  const row = [...database.rows('message_sender_providers', ['name', 'addition'])].find(
    (one) => one.text('name') === inUse,
  )
  const { bot_token: token, chat_id: chat } = objectIn(row?.json('addition')) ?? {}
  if (inUse !== 'telegram' || !token || !chat) {
    skipped.push({ entity: 'notification', name: inUse, code: 'kind_unknown', args: { kind: inUse } })
    return []
  }
  const request = telegram.fill({ token: String(token), chat: String(chat) })
  return [
    { entity: 'notification', id: 1, name: 'Telegram', values: { ...request, verify_tls: true } },
    { entity: 'notification-group', id: 1, name: 'Komari', values: { notifications: [1] } },
  ]
}

const checkTypes: Readonly<Record<string, number>> = { http: 1, icmp: 2, tcp: 3 }
/** Seconds between two checks of a service, at least. */
const shortestInterval = 30

function readServices(database: ForeignDatabase, idsOf: IdsOf, skipped: Skipped[]): ImportedRecord[] {
  const columns = ['id', 'name', 'clients', 'all_clients', 'type', 'target', 'interval', 'weight']
  return readKind(database.rows('ping_tasks', columns, { order: 'id' }), 'service', skipped, (row) => {
    const [id, kind] = [row.integer('id'), row.text('type')]
    const name = recordName(row.text('name'), id)
    const type = checkTypes[kind]
    if (type === undefined) return void skipped.push({ entity: 'service', name, code: 'kind_unknown', args: { kind } })
    const isForAll = row.flag('all_clients')
    const record: ImportedRecord = {
      entity: 'service',
      id,
      name,
      values: {
        type,
        target: row.text('target'),
        duration: Math.max(shortestInterval, row.integer('interval')),
        display_index: -row.integer('weight'),
        cover: isForAll ? 0 : 1,
        skip_servers: isForAll ? {} : idSetOf(idsOf(row.json('clients'))),
      },
    }
    return record
  })
}

/** A rule for each time after which servers count as offline. */
function readOfflineRules(
  database: ForeignDatabase,
  ids: ReadonlyMap<string, number>,
  group: number,
): ImportedRecord[] {
  const servers = new Map<number, number[]>()
  for (const row of database.rows('offline_notifications', ['client', 'enable', 'grace_period'])) {
    const [id, seconds] = [ids.get(row.text('client')), row.integer('grace_period')]
    if (id !== undefined && row.flag('enable')) servers.set(seconds, [...(servers.get(seconds) ?? []), id])
  }
  return [...servers].map(([seconds, members], index) =>
    ruleFor(index + 1, `Offline ${seconds} s`, group, { type: 'offline', duration: samplesOf(seconds) }, members),
  )
}

const metrics: Readonly<Record<string, string>> = { cpu: 'cpu', ram: 'memory', disk: 'disk', swap: 'swap' }

function readLoadRules(database: ForeignDatabase, idsOf: IdsOf, group: number, skipped: Skipped[]): ImportedRecord[] {
  const columns = ['id', 'name', 'clients', 'metric', 'threshold', 'interval']
  return readKind(database.rows('load_notifications', columns, { order: 'id' }), 'alert-rule', skipped, (row) => {
    const [id, metric] = [row.integer('id') + firstLoadRule, row.text('metric')]
    const name = recordName(row.text('name'), id)
    const type = metrics[metric]
    if (type === undefined)
      return void skipped.push({ entity: 'alert-rule', name, code: 'kind_unknown', args: { kind: metric } })
    const duration = samplesOf(row.integer('interval') * 60)
    return ruleFor(id, name, group, { type, max: row.number('threshold'), duration }, idsOf(row.json('clients')))
  })
}

/** Behind the numbers of rules about servers that are offline. */
const firstLoadRule = 100_000

type IdsOf = (value: unknown) => number[]

const cycles: Readonly<Record<number, string>> = { 1: 'Day', 7: 'Week', 30: 'Month', 365: 'Year' }

/** Price, end of contract and traffic as the public note of a server has them; '' for none of them. */
function billingNote(row: ForeignRow): string {
  const [price, days, end] = [row.number('price'), row.integer('billing_cycle'), row.time('expired_at')]
  const traffic = row.integer('traffic_limit')
  const remark = row.text('public_remark')
  const billing = {
    ...(end !== undefined && { endDate: new Date(end).toISOString() }),
    ...(price > 0 && {
      amount: `${price}${row.text('currency')}`,
      // A cycle that has no word is written out.
      cycle: cycles[days] ?? `${days} d`,
      autoRenewal: row.flag('auto_renewal') ? '1' : '0',
    }),
  }
  const isOneWay = ['up', 'down', 'max', 'min'].includes(row.text('traffic_limit_type'))
  const plan = {
    ...(traffic > 0 && { trafficVol: `${traffic / 2 ** 40} TiB`, trafficType: isOneWay ? '1' : '2' }),
    ...(remark && { extra: remark }),
  }
  const note = {
    ...(Object.keys(billing).length > 0 && { billingDataMod: billing }),
    ...(Object.keys(plan).length > 0 && { planDataMod: plan }),
  }
  return Object.keys(note).length > 0 ? JSON.stringify(note) : ''
}

/** By the days of a cycle. */
const contractCycles: Readonly<Record<number, ContractCycle>> = { 30: 'month', 90: 'quarter', 180: 'half', 365: 'year' }

/** What counts against a limit. The smaller of both directions counts nowhere here. */
const countedBy: Readonly<Record<string, Contract['quota_counts']>> = {
  sum: 'sum',
  max: 'larger',
  up: 'out',
  down: 'in',
}

/**
 * The same for the costs page and the rules about traffic; `undefined` where nothing of it can be kept. A price of a cycle
 * that contracts do not have stands in the note alone: by another cycle it would be a wrong sum.
 */
function contractOf(row: ForeignRow, note: string): Contract | undefined {
  const { price, currency, quota_bytes, ends_at, renews } = contractOfNote(note) ?? {}
  const cycle = contractCycles[row.integer('billing_cycle')]
  const quota_counts = countedBy[row.text('traffic_limit_type')]
  const known: Partial<Contract> = {
    ...(price !== undefined && cycle && { price, currency, cycle, renews }),
    ...(ends_at !== undefined && { ends_at }),
    ...(quota_bytes !== undefined && quota_counts && { quota_bytes, quota_counts }),
  }
  return Object.keys(known).length > 0 ? contract.parse(known) : undefined
}
