import { type Dialect, isSuccess, listsOf, type Recorded, type Row, routeOf } from './dialects.ts'

/** Lists by the path they are read at, with the path they are written at. */
const lists = {
  server: 'server',
  'server-group': 'server-group',
  'service/list': 'service',
  cron: 'cron',
  notification: 'notification',
  'notification-group': 'notification-group',
  'alert-rule': 'alert-rule',
  ddns: 'ddns',
  nat: 'nat',
  user: 'user',
  waf: 'waf',
  'online-user': 'online-user',
} as const

/** What a server adds by itself to every row, and to rows of one list. */
const stamps = ['id', 'created_at', 'updated_at']
const added: Readonly<Record<string, readonly string[]>> = {
  server: ['uuid', 'host', 'state', 'geoip', 'last_active', 'owner'],
  cron: ['last_executed_at', 'last_result', 'cron_job_id'],
  setting: ['admin_template', 'oauth2_providers', 'ignored_ip_notification_server_ids'],
}

/** What the current build hides in its lists: as `""`, or by leaving it out. It keeps what an update leaves empty. */
const hidden: Readonly<Record<string, Readonly<Record<string, '' | undefined>>>> = {
  notification: { url: '', request_header: '', request_body: '' },
  ddns: { access_secret: undefined, webhook_headers: undefined },
}

/** Fields that no console of today knows, in every row and in the settings. */
export const unknownFields = { from_tomorrow: { kept: [1, null, ''] } }

/** One update as it came. */
export interface Update {
  path: string
  /** The row as it was last sent to the browser, groups unwrapped, without what the server adds by itself. */
  sent: Row
  body: Row
}

/** What a recorded server holds: lists seeded from the recordings, changed by writing. */
export interface State {
  updates: readonly Update[]
  /** The rows that are stored at a written path, secrets included. */
  stored(path: string): readonly Row[]
  isList(route: string): boolean
  read(route: string): readonly Row[]
  readSetting(): Row
  writes(path: string): boolean
  create(path: string, body: Row): number
  /** @returns whether there is such a row */
  update(path: string, id: number, body: Row): boolean
  updateSetting(body: Row): void
  remove(path: string, keys: readonly unknown[]): void
}

export function createState(dialect: Dialect, recorded: Recorded): State {
  const conceals = dialect === 'current' ? hidden : {}
  const tables = new Map<string, Row[]>()
  for (const [route, path] of Object.entries(lists)) {
    const candidates = listsOf(recorded, route)
    const longest = candidates.reduce<Row[]>((best, rows) => (rows.length > best.length ? rows : best), [])
    const secrets = Object.keys(conceals[path] ?? {}).map((key) => [key, `stored ${key}`])
    const isPlain = path !== 'waf' && path !== 'online-user'
    tables.set(
      path,
      longest.map((row) => ({ ...unwrap(row), ...Object.fromEntries(secrets), ...(isPlain && unknownFields) })),
    )
  }
  const admins = fullestSetting(recorded)
  let config: Row = { ...admins.config, ...unknownFields }
  const updates: Update[] = []
  const table = (path: string) => tables.get(path) ?? []
  const pathOf = (route: string) => lists[route as keyof typeof lists]
  const shown = (path: string, row: Row): Row => {
    const kept = Object.entries({ ...row, ...conceals[path] }).filter(([, value]) => value !== undefined)
    return Object.fromEntries(kept)
  }
  const given = (path: string, row: Row): Row => without(shown(path, row), [...stamps, ...(added[path] ?? [])])

  return {
    updates,
    stored: table,
    isList: (route) => route in lists,
    read: (route) => table(pathOf(route)).map((row) => wrap(pathOf(route), shown(pathOf(route), row))),
    readSetting: () => ({ ...admins, config }),
    writes: (path) => tables.has(path),
    create(path, body) {
      const id = Math.max(0, ...table(path).map((row) => Number(row.id) || 0)) + 1
      table(path).push({ ...body, id })
      return id
    },
    update(path, id, body) {
      const rows = table(path)
      const at = rows.findIndex((row) => row.id === id)
      const before = rows[at]
      if (!before) return false
      updates.push({ path, sent: given(path, before), body })
      const own = Object.entries(before).filter(([key]) => [...stamps, ...(added[path] ?? [])].includes(key))
      const secrets = Object.keys(conceals[path] ?? {}).filter((key) => !body[key])
      rows[at] = { ...body, ...Object.fromEntries([...own, ...secrets.map((key) => [key, before[key]])]) }
      return true
    },
    updateSetting(body) {
      updates.push({ path: 'setting', sent: without(config, added.setting ?? []), body })
      const own = Object.entries(config).filter(([key]) => added.setting?.includes(key))
      config = { ...body, ...Object.fromEntries(own) }
    },
    remove(path, keys) {
      const isGone = (row: Row) => keys.includes(row.id) || keys.includes(row.ip)
      tables.set(
        path,
        table(path).filter((row) => !isGone(row)),
      )
    },
  }
}

/** The settings with the most in them: an administrator's. */
function fullestSetting({ own }: Recorded): { config: Row } {
  const candidates = own.filter(
    (one) => one.request.method === 'GET' && routeOf(one.request.path) === 'setting' && isSuccess(one),
  )
  const settings = candidates.map(({ response }) => (response.body as { data: { config: Row } }).data)
  const [fullest] = settings.sort((a, b) => Object.keys(b.config).length - Object.keys(a.config).length)
  if (!fullest) throw new Error('No settings were recorded.')
  return fullest
}

const without = (row: Row, keys: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key)))

const members: Readonly<Record<string, string>> = { 'server-group': 'servers', 'notification-group': 'notifications' }

function unwrap(row: Row): Row {
  const { group, ...rest } = row
  return typeof group === 'object' ? { ...(group as Row), ...rest } : row
}

function wrap(path: string, row: Row): Row {
  const key = members[path]
  if (!key) return row
  const { [key]: ids, ...group } = row
  return { group, [key]: ids ?? null }
}
