import type { ForeignDatabase, ForeignRow } from '../../db/foreignDatabase.ts'
import { type ImportData, type ImportedServer, type ImportedUser, ImportRefusal, type Skipped } from './importData.ts'
import { type OwnerOf, readNezhaRecords } from './nezhaRecords.ts'
import { readNezhaSettings } from './nezhaSettings.ts'
import type { ImportReader } from './reader.ts'
import { idsIn, objectIn, readKind, recordName, requireColumns } from './readRows.ts'

const needed = {
  users: ['id', 'username', 'password', 'role', 'agent_secret'],
  servers: ['id', 'name', 'uuid', 'user_id'],
  server_groups: ['id', 'name'],
  server_group_servers: ['server_group_id', 'server_id'],
  notification_groups: ['id', 'name'],
  notification_group_notifications: ['notification_group_id', 'notification_id'],
  notifications: ['id', 'name', 'url', 'request_method', 'request_type'],
  services: ['id', 'name', 'type', 'target', 'duration'],
  crons: ['id', 'name', 'task_type', 'scheduler', 'command', 'cover'],
  alert_rules: ['id', 'name', 'rules_raw', 'enable'],
  ddns: ['id', 'name', 'provider', 'domains_raw'],
  nats: ['id', 'name', 'server_id', 'host', 'domain'],
}

/** Nezha 1 and 2: what is in its database has the names of the API, and ids that only have to be replaced. */
export const nezhaReader: ImportReader = {
  recognizes: (database) => database.columnsOf('server_group_servers') !== undefined || isOld(database),
  read(database, settingsText): ImportData {
    if (isOld(database)) throw new ImportRefusal('too_old', { product: 'Nezha', version: '0', needed: '1' })
    requireColumns(database, 'Nezha', needed)
    const skipped: Skipped[] = []
    const { settings, agentSecret } = readNezhaSettings(settingsText, skipped)
    const people = readPeople(database, agentSecret, skipped)
    const ownerOf = (row: ForeignRow) => people.get(row.integer('user_id'))?.username
    const isNewer = database.columnsOf('services')?.has('hide_for_guest') === true
    const servers = readServers(database, ownerOf, skipped)
    const records = readNezhaRecords(database, ownerOf, skipped)
    const tokens = [...database.rows('api_tokens', ['name'])].map(
      (row): Skipped => ({ entity: 'api-token', name: row.text('name'), code: 'api_token' }),
    )
    return {
      kind: 'nezha',
      product: `Nezha ${isNewer ? 2 : 1}`,
      users: [...people.values()],
      servers,
      records,
      settings,
      bindings: [...database.rows('oauth2_binds', ['user_id', 'provider', 'open_id'])].flatMap((row) => {
        const username = ownerOf(row)
        return username ? [{ username, provider: row.text('provider'), account: row.text('open_id') }] : []
      }),
      blocked: readBlocked(database),
      skipped: [...skipped, ...tokens],
    }
  },
  *history(database) {
    const columns = ['created_at', 'service_id', 'server_id', 'avg_delay', 'up', 'down']
    const limit = maxHistoryRows
    const withSums = new Set<number>()
    for (const row of database.rows('service_histories', ['service_id', 'server_id'], { limit }))
      if (row.integer('server_id') === 0) withSums.add(row.integer('service_id'))
    for (const row of database.rows('service_histories', columns, { limit })) {
      const at = row.time('created_at')
      if (at === undefined) continue
      const [service, server] = [row.integer('service_id'), row.integer('server_id')]
      const average = Math.max(0, row.number('avg_delay'))
      // Of a single server there is the delay alone, which is 0 after a failure.
      const [up, down] = server === 0 ? [row.integer('up'), row.integer('down')] : average > 0 ? [1, 0] : [0, 1]
      if (up < 0 || down < 0) continue
      const sum = { service, at, up, down, delay: average * up }
      if (server !== 0) yield { series: 'checks', server, ...sum }
      if (server === 0 || !withSums.has(service)) yield { series: 'days', server: 0, ...sum }
    }
  },
}

/** A month of checks of some hundred services. */
const maxHistoryRows = 5_000_000

/** Of version 0, which had other users and called services monitors. */
const isOld = (database: ForeignDatabase) => database.columnsOf('monitors')?.has('skip_servers_raw') === true

const firstUser = 1

function readPeople(
  database: ForeignDatabase,
  installationSecret: string,
  skipped: Skipped[],
): Map<number, ImportedUser> {
  const columns = ['id', 'username', 'password', 'role', 'agent_secret', 'reject_password']
  const rows = database.rows('users', columns, { order: 'id' })
  const read = (row: ForeignRow): [number, ImportedUser] => {
    const id = row.integer('id')
    // Agents of old installations have the secret of the settings, and register as those of the first user.
    const secrets = [row.text('agent_secret'), ...(id === firstUser ? [installationSecret] : [])]
    return [
      id,
      {
        username: row.text('username'),
        password: row.text('password'),
        role: row.integer('role') === 0 ? 0 : 1,
        rejectPassword: row.flag('reject_password'),
        agentSecrets: secrets.filter((secret) => secret !== ''),
      },
    ]
  }
  return new Map(readKind(rows, 'user', skipped, read))
}

function readServers(database: ForeignDatabase, ownerOf: OwnerOf, skipped: Skipped[]): ImportedServer[] {
  const columns = [
    ...['id', 'user_id', 'name', 'uuid', 'note', 'public_note', 'display_index', 'hide_for_guest', 'enable_d_dns'],
    ...['ddns_profiles_raw', 'override_ddns_domains_raw'],
  ]
  return readKind(database.rows('servers', columns, { order: 'id' }), 'server', skipped, (row): ImportedServer => {
    const id = row.integer('id')
    return {
      entity: 'server',
      id,
      name: recordName(row.text('name'), id),
      uuid: row.text('uuid'),
      owner: ownerOf(row),
      values: {
        display_index: row.integer('display_index'),
        note: row.text('note'),
        public_note: row.text('public_note'),
        hide_for_guest: row.flag('hide_for_guest'),
        enable_ddns: row.flag('enable_d_dns'),
        ddns_profiles: idsIn(row.json('ddns_profiles_raw')),
        override_ddns_domains: objectIn(row.json('override_ddns_domains_raw')),
      },
    }
  })
}

const blockedByAdmin = 4

/** Addresses that an administrator has blocked for ever; those that failed at something are forgotten. */
function readBlocked(database: ForeignDatabase): string[] {
  return [...database.rows('nz_waf', ['ip', 'block_reason'])].flatMap((row) => {
    const bytes = row.bytes('ip')
    return bytes?.length === 16 && row.integer('block_reason') === blockedByAdmin ? [addressText(bytes)] : []
  })
}

/** IPv4 addresses are written as `::ffff:192.0.2.1`, whose last four bytes count. */
function addressText(bytes: Uint8Array): string {
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  if (isMapped) return bytes.subarray(12).join('.')
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/.{4}(?=.)/g, '$&:')
}
