import type { ForeignDatabase, ForeignRow } from '../../db/foreignDatabase.ts'
import type { ImportedRecord, Skipped } from './importData.ts'
import { pairs, readKind, recordName } from './readRows.ts'

const columns = [
  ...['id', 'title', 'description', 'active', 'strategy', 'start_date', 'end_date', 'start_time', 'weekdays'],
  ...['interval_day', 'timezone', 'duration'],
]

const dayMs = 86_400_000
const [once, daily, weekly] = [0, 1, 2]

/** Planned maintenance as windows: a window for each weekday. What repeats in other ways is named. */
export function kumaWindows(
  database: ForeignDatabase,
  services: readonly ImportedRecord[],
  skipped: Skipped[],
): ImportedRecord[] {
  const monitors = pairs(database, 'monitor_maintenance', 'maintenance_id', 'monitor_id')
  const known = new Set(services.map(({ id }) => id))
  const rows = database.rows('maintenance', columns, { order: 'id' })
  return readKind(rows, 'maintenance-window', skipped, (row): ImportedRecord[] => {
    const id = row.integer('id')
    const name = recordName(row.text('title'), id)
    const times = timesOf(row)
    if (times.length === 0) {
      const kind = row.text('strategy')
      skipped.push({ entity: 'maintenance-window', name, code: 'kind_unknown', args: { kind } })
    }
    const zone = row.text('timezone')
    return times.map((time, index) => ({
      entity: 'maintenance-window',
      // A number for each weekday of a plan.
      id: id * 10 + index,
      name,
      values: {
        ...time,
        enabled: row.flag('active'),
        time_zone: zone === 'SAME_AS_SERVER' ? '' : zone,
        services: (monitors.get(id) ?? []).filter((monitor) => known.has(monitor)),
        note: row.text('description'),
      },
    }))
  }).flat()
}

interface WindowTime {
  repeat: number
  /** As clocks of its zone show it. */
  starts_at: string
  /** Minutes. */
  duration: number
}

/** @returns none where the repetition has nothing like it here */
function timesOf(row: ForeignRow): WindowTime[] {
  const [from, until] = [row.time('start_date'), row.time('end_date')]
  const clock = /^\d\d:\d\d/.exec(row.text('start_time'))?.[0]
  const duration = Math.round(row.integer('duration') / 60)
  const strategy = row.text('strategy')
  if (from === undefined) return []
  if (strategy === 'single' && until !== undefined)
    return [{ repeat: once, starts_at: localTime(from), duration: Math.round((until - from) / 60_000) }]
  if (!clock) return []
  const startingAt = (day: number) => `${localTime(day).slice(0, 10)}T${clock}`
  if (strategy === 'recurring-interval' && [1, 7].includes(row.integer('interval_day')))
    return [{ repeat: row.integer('interval_day') === 1 ? daily : weekly, starts_at: startingAt(from), duration }]
  if (strategy !== 'recurring-weekday') return []
  const weekdays = row.json('weekdays')
  return (Array.isArray(weekdays) ? [...new Set(weekdays)] : [])
    .filter((weekday): weekday is number => [0, 1, 2, 3, 4, 5, 6].includes(weekday))
    .map((weekday) => {
      const days = (weekday - new Date(from).getUTCDay() + 7) % 7
      return { repeat: weekly, starts_at: startingAt(from + days * dayMs), duration }
    })
}

/** `2026-11-01T02:00`: the file has times without a zone, which were read as UTC. */
const localTime = (at: number) => new Date(at).toISOString().slice(0, 16)
