import type { Values } from '../../../src/schemas/define/values.ts'
import type { ForeignDatabase, ForeignRow } from '../../db/foreignDatabase.ts'
import type { ImportedRecord, Skipped } from './importData.ts'
import { idsIn, objectIn, pairs, readKind, recordName, textsIn } from './readRows.ts'

/** The name of the user to whom a row belongs. */
export type OwnerOf = (row: ForeignRow) => string | undefined

/** How an entity lies in the file. */
interface KindOfRecord {
  entity: string
  table: string
  /** Columns that have the name of the field here, and what they hold. */
  columns?: Readonly<Record<string, 'text' | 'integer' | 'number' | 'flag'>>
  /** Columns that `more` reads. */
  others?: readonly string[]
  more?(row: ForeignRow): Values
}

const tasks = ['fail_trigger_tasks_raw', 'recover_trigger_tasks_raw'] as const
const tasksOf = (row: ForeignRow) => ({
  fail_trigger_tasks: idsIn(row.json('fail_trigger_tasks_raw')),
  recover_trigger_tasks: idsIn(row.json('recover_trigger_tasks_raw')),
})

const notifier: KindOfRecord = {
  entity: 'notification',
  table: 'notifications',
  columns: {
    url: 'text',
    request_method: 'integer',
    request_type: 'integer',
    request_header: 'text',
    request_body: 'text',
    verify_tls: 'flag',
    format_metric_units: 'flag',
  },
}

const task: KindOfRecord = {
  entity: 'cron',
  table: 'crons',
  columns: {
    task_type: 'integer',
    scheduler: 'text',
    command: 'text',
    push_successful: 'flag',
    notification_group_id: 'integer',
    cover: 'integer',
  },
  others: ['servers_raw'],
  more: (row) => ({ servers: idsIn(row.json('servers_raw')) }),
}

/** Version 1 has `enable_show_in_service` where version 2 has `hide_for_guest`. */
const service = (isNewer: boolean): KindOfRecord => ({
  entity: 'service',
  table: 'services',
  columns: {
    type: 'integer',
    target: 'text',
    duration: 'integer',
    display_index: 'integer',
    notify: 'flag',
    notification_group_id: 'integer',
    cover: 'integer',
    enable_trigger_task: 'flag',
    min_latency: 'number',
    max_latency: 'number',
    latency_notify: 'flag',
  },
  others: ['skip_servers_raw', 'hide_for_guest', 'enable_show_in_service', ...tasks],
  more: (row) => ({
    hide_for_guest: isNewer ? row.flag('hide_for_guest') : !row.flag('enable_show_in_service'),
    skip_servers: objectIn(row.json('skip_servers_raw')) ?? {},
    ...tasksOf(row),
  }),
})

const rule: KindOfRecord = {
  entity: 'alert-rule',
  table: 'alert_rules',
  columns: { enable: 'flag', trigger_mode: 'integer', notification_group_id: 'integer' },
  others: ['rules_raw', ...tasks],
  more: (row) => ({ rules: row.json('rules_raw') ?? [], ...tasksOf(row) }),
}

const ddns: KindOfRecord = {
  entity: 'ddns',
  table: 'ddns',
  columns: {
    enable_ipv4: 'flag',
    enable_ipv6: 'flag',
    max_retries: 'integer',
    provider: 'text',
    access_id: 'text',
    access_secret: 'text',
    webhook_url: 'text',
    webhook_request_body: 'text',
    webhook_headers: 'text',
  },
  others: ['webhook_method', 'webhook_request_type', 'domains_raw'],
  more: (row) => ({
    // 0 where the provider is no webhook.
    webhook_method: row.integer('webhook_method') || 1,
    webhook_request_type: row.integer('webhook_request_type') || 1,
    domains: textsIn(row.json('domains_raw')),
  }),
}

const nat: KindOfRecord = {
  entity: 'nat',
  table: 'nats',
  columns: { enabled: 'flag', server_id: 'integer', host: 'text', domain: 'text' },
}

/** Everything that people configure, but for users, servers and settings. */
export function readNezhaRecords(database: ForeignDatabase, ownerOf: OwnerOf, skipped: Skipped[]): ImportedRecord[] {
  const servers = pairs(database, 'server_group_servers', 'server_group_id', 'server_id')
  const notifiers = pairs(database, 'notification_group_notifications', 'notification_group_id', 'notification_id')
  const serverGroup: KindOfRecord = {
    entity: 'server-group',
    table: 'server_groups',
    more: (row) => ({ servers: servers.get(row.integer('id')) ?? [] }),
  }
  const notifierGroup: KindOfRecord = {
    entity: 'notification-group',
    table: 'notification_groups',
    more: (row) => ({ notifications: notifiers.get(row.integer('id')) ?? [] }),
  }
  const isNewer = database.columnsOf('services')?.has('hide_for_guest') === true
  return [serverGroup, notifier, notifierGroup, task, service(isNewer), rule, ddns, nat].flatMap(
    ({ entity, table, columns = {}, others = [], more }) => {
      const read = (row: ForeignRow): ImportedRecord => {
        const id = row.integer('id')
        const same = Object.entries(columns).map(([column, type]) => [column, row[type](column)] as const)
        const values = { ...Object.fromEntries(same), ...more?.(row) }
        return { entity, id, name: recordName(row.text('name'), id), owner: ownerOf(row), values }
      }
      const asked = ['id', 'user_id', 'name', ...Object.keys(columns), ...others]
      return readKind(database.rows(table, asked, { order: 'id' }), entity, skipped, read)
    },
  )
}
