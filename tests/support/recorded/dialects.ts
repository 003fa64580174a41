import { type Exchange, readRecording } from './recording.ts'

/** The builds that were recorded, oldest first. */
export const dialects = ['v1.10.8', 'v1.14.14', 'current'] as const
export type Dialect = (typeof dialects)[number]

/** What was recorded of the current build, by subject. */
const subjects = [
  'auth',
  'profile',
  'user',
  'api-tokens',
  'setting',
  'maintenance',
  'server',
  'transfer',
  'server-group',
  'notification',
  'notification-group',
  'alert-rule',
  'cron',
  'ddns',
  'nat',
  'service',
  'waf',
  'online-user',
  'terminal',
  'file',
]

/** A dialect's own exchanges, and those of the current build for calls that were not tried on it. */
export interface Recorded {
  own: readonly Exchange[]
  other: readonly Exchange[]
}

export function recordedOf(dialect: Dialect): Recorded {
  const current = subjects.flatMap((file) => readRecording(file))
  return dialect === 'current'
    ? { own: current, other: [] }
    : { own: readRecording(`dialect-${dialect}`), other: current }
}

/** A path without its query, with ids left open: `cron/:id/manual`. */
export const routeOf = (path: string) =>
  path
    .replace(/^\/api\/v1\//, '')
    .replace(/\?.*$/, '')
    .replace(/\/\d+(?=\/|$)/g, '/:id')

/**
 * The reply that was recorded for a call: the dialect's own where there is one, success before failure, the one with
 * the same query before others, and one with data before an empty one.
 */
export function replyTo({ own, other }: Recorded, method: string, path: string): Exchange | undefined {
  const route = routeOf(path)
  for (const exchanges of [own, other]) {
    const candidates = exchanges.filter(({ request }) => request.method === method && routeOf(request.path) === route)
    const good = candidates.filter(isSuccess)
    const exact = good.filter(({ request }) => request.path === path)
    const best = exact.length > 0 ? exact : good
    const found = best.find(hasData) ?? best[0] ?? candidates[0]
    if (found) return found
  }
  return undefined
}

export const isSuccess = ({ response }: Exchange) =>
  (response.body as { success?: boolean } | undefined)?.success === true

const hasData = ({ response }: Exchange) => (response.body as { data?: unknown }).data !== undefined

/** All data that were recorded of one list, a list each, in the order of time. */
export function listsOf({ own, other }: Recorded, route: string): Row[][] {
  const found = [own, other].map((exchanges) =>
    exchanges
      .filter(({ request, name }) => request.method === 'GET' && routeOf(request.path) === route && !isMembers(name))
      .filter(isSuccess)
      .map(({ response }) => rowsIn(response.body as { data?: unknown })),
  )
  return found.find((lists) => lists.some((rows) => rows.length > 0)) ?? []
}

export type Row = Record<string, unknown>

/** What a member sees is only a part. */
const isMembers = (name: string) => name.startsWith('member ')

const rowsIn = ({ data }: { data?: unknown }): Row[] =>
  Array.isArray(data) ? data : ((data as { value?: Row[] } | undefined)?.value ?? [])
