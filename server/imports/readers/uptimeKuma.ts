import type { ForeignDatabase } from '../../db/foreignDatabase.ts'
import type { CheckSum, ImportData, ImportedUser, Skipped } from './importData.ts'
import { kumaNotifiers } from './kumaNotifiers.ts'
import { kumaServices } from './kumaServices.ts'
import { kumaWindows } from './kumaWindows.ts'
import type { ImportReader } from './reader.ts'
import { requireColumns } from './readRows.ts'

const needed = {
  monitor: ['id', 'name', 'type', 'interval', 'active', 'url', 'hostname', 'port'],
  monitor_notification: ['monitor_id', 'notification_id'],
  notification: ['id', 'name', 'config'],
  heartbeat: ['monitor_id', 'status', 'time'],
  user: ['id', 'username', 'password'],
}

/** Uptime Kuma 1 and 2. It checks by itself alone, and knows neither servers nor rules. */
export const uptimeKumaReader: ImportReader = {
  recognizes: (database) => ['monitor', 'heartbeat'].every((table) => database.columnsOf(table) !== undefined),
  read(database): ImportData {
    requireColumns(database, 'Uptime Kuma', needed)
    const skipped: Skipped[] = []
    const notifiers = kumaNotifiers(database, skipped)
    const services = kumaServices(database, notifiers, skipped)
    const windows = kumaWindows(database, services, skipped)
    for (const row of database.rows('api_key', ['name']))
      skipped.push({ entity: 'api-token', name: row.text('name'), code: 'api_token' })
    for (const row of database.rows('incident', ['title']))
      skipped.push({ entity: 'incident', name: row.text('title'), code: 'nothing_like_it' })
    return {
      kind: 'uptime-kuma',
      product: `Uptime Kuma ${database.columnsOf('stat_daily') ? 2 : 1}`,
      users: readUsers(database, skipped),
      servers: [],
      records: [...notifiers.records, ...services, ...windows],
      settings: readSettings(database),
      bindings: [],
      blocked: [],
      skipped,
    }
  },
  history: (database) => (database.columnsOf('stat_daily') ? daysOf(database) : daysOfHeartbeats(database)),
}

function readUsers(database: ForeignDatabase, skipped: Skipped[]): ImportedUser[] {
  return [...database.rows('user', ['username', 'password', 'active', 'twofa_status'])].map((row) => {
    const username = row.text('username')
    if (row.flag('twofa_status')) skipped.push({ entity: 'user', name: username, code: 'second_factor' })
    return {
      username,
      password: row.text('password'),
      // Whoever can sign in there may do everything.
      role: 0,
      rejectPassword: !row.flag('active'),
      agentSecrets: [],
    }
  })
}

/** Where there is one status page, the site is called as it is. */
function readSettings(database: ForeignDatabase): ImportData['settings'] {
  const titles = [...database.rows('status_page', ['title', 'published'])]
    .filter((row) => row.flag('published'))
    .map((row) => row.text('title'))
  return titles.length === 1 && titles[0] ? { site_name: titles[0] } : {}
}

/** Of 500 monitors in 90 days. */
const maxDays = 50_000
const dayMs = 86_400_000

function* daysOf(database: ForeignDatabase): Generator<CheckSum> {
  for (const row of database.rows('stat_daily', ['monitor_id', 'timestamp', 'up', 'down', 'ping'], {
    limit: maxDays,
  })) {
    const [up, down] = [Math.max(0, row.integer('up')), Math.max(0, row.integer('down'))]
    const day = { series: 'days', service: row.integer('monitor_id'), server: 0 } as const
    yield { ...day, at: row.integer('timestamp') * 1000, up, down, delay: Math.max(0, row.number('ping')) * up }
  }
}

/** Version 1 keeps single checks only. */
function* daysOfHeartbeats(database: ForeignDatabase): Generator<CheckSum> {
  const days = new Map<string, CheckSum>()
  for (const row of database.rows('heartbeat', ['monitor_id', 'status', 'time', 'ping'], { limit: maxHeartbeats })) {
    const [service, status, time] = [row.integer('monitor_id'), row.integer('status'), row.time('time')]
    if (time === undefined || (status !== 0 && status !== 1)) continue
    const at = Math.floor(time / dayMs) * dayMs
    const key = `${service} ${at}`
    const day = days.get(key) ?? { series: 'days', service, server: 0, at, up: 0, down: 0, delay: 0 }
    days.set(key, day)
    day.up += status
    day.down += 1 - status
    day.delay += status * Math.max(0, row.number('ping'))
  }
  yield* days.values()
}

const maxHeartbeats = 20_000_000
