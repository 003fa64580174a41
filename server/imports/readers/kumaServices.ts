import { checkedDuration, plainMinimum } from '../../../src/schemas/service.ts'
import type { ForeignDatabase, ForeignRow } from '../../db/foreignDatabase.ts'
import type { ImportedRecord, Skipped } from './importData.ts'
import { checkColumns, checkOf } from './kumaChecks.ts'
import type { KumaNotifiers } from './kumaNotifiers.ts'
import { readKind, recordName } from './readRows.ts'

const columns = [
  ...['id', 'name', 'type', 'active', 'interval', 'maxretries', 'retry_interval', 'weight', 'upside_down', 'proxy_id'],
  ...['parent', 'push_token'],
  ...checkColumns,
]

/** How often a check is repeated at the most, and after how many seconds. */
const [mostRetries, longestPause] = [5, 60]

/** The monitors of kinds that there are here, as services; the others are named with the reason. */
export function kumaServices(
  database: ForeignDatabase,
  { groupOf }: KumaNotifiers,
  skipped: Skipped[],
): ImportedRecord[] {
  const shown = shownMonitors(database)
  const groups: ForeignRow[] = []
  let raised = 0
  const services = readKind(database.rows('monitor', columns, { order: 'id' }), 'service', skipped, (row) => {
    const id = row.integer('id')
    const name = recordName(row.text('name'), id)
    const kind = row.text('type')
    const skip = (code: Skipped['code'], args = {}) => void skipped.push({ entity: 'service', name, code, args })
    // Behind the services that are in it.
    if (kind === 'group') return void groups.push(row)
    if (row.flag('upside_down')) return skip('upside_down')
    if (row.integer('proxy_id') !== 0) return skip('behind_proxy')
    const checked = checkOf(kind, row)
    if (!checked) return skip('kind_unknown', { kind })
    const group = groupOf(id)
    const interval = row.integer('interval')
    const shortest = checked.check ? checkedDuration.min : plainMinimum
    if (interval < shortest) raised++
    // Of a paused one, no server is chosen to check it.
    if (!row.flag('active')) skip('paused')
    const record: ImportedRecord = {
      entity: 'service',
      id,
      name,
      values: {
        ...checked,
        duration: Math.max(shortest, interval),
        display_index: shown.get(id) ?? 0,
        hide_for_guest: !shown.has(id),
        notify: group > 0,
        notification_group_id: group,
        cover: row.flag('active') ? 0 : 1,
        skip_servers: {},
        retries: Math.min(mostRetries, Math.max(0, row.integer('maxretries'))),
        retry_pause: Math.min(longestPause, Math.max(1, row.integer('retry_interval'))),
      },
    }
    const token = row.text('push_token')
    return kind === 'push' && tokenPattern.test(token)
      ? { ...record, stored: { push_path: `/api/push/${token}` } }
      : record
  })
  if (raised > 0)
    skipped.push({
      entity: 'service',
      name: '',
      code: 'interval_raised',
      args: { count: raised, min: plainMinimum },
    })
  return [...services, ...groupServices(database, groups, services, { groupOf, shown }, skipped)]
}

/** The addresses of jobs go on working: their tokens come along. */
const tokenPattern = /^[\w-]{16,128}$/

/** Groups as services that are up while all in them are; a group in a group comes before that one. */
function groupServices(
  database: ForeignDatabase,
  groups: readonly ForeignRow[],
  services: readonly ImportedRecord[],
  { groupOf, shown }: Pick<KumaNotifiers, 'groupOf'> & { shown: ReadonlyMap<number, number> },
  skipped: Skipped[],
): ImportedRecord[] {
  const parents = new Map(
    [...database.rows('monitor', ['id', 'parent'])].map((row) => [row.integer('id'), row.integer('parent')]),
  )
  const depthOf = (id: number, most = 10): number =>
    id === 0 || most === 0 ? 0 : 1 + depthOf(parents.get(id) ?? 0, most - 1)
  const known = new Set(services.map(({ id }) => id))
  const deepestFirst = groups.toSorted((one, other) => depthOf(other.integer('id')) - depthOf(one.integer('id')))
  return deepestFirst.flatMap((row): ImportedRecord[] => {
    const id = row.integer('id')
    const name = recordName(row.text('name'), id)
    const members = [...parents].flatMap(([child, parent]) => (parent === id && known.has(child) ? [child] : []))
    if (members.length === 0) {
      skipped.push({ entity: 'service', name, code: 'empty_group' })
      return []
    }
    known.add(id)
    const group = groupOf(id)
    return [
      {
        entity: 'service',
        id,
        name,
        values: {
          type: 3,
          target: name,
          check: { kind: 'group', services: members, needs: 'all' },
          display_index: shown.get(id) ?? 0,
          hide_for_guest: !shown.has(id),
          notify: group > 0,
          notification_group_id: group,
        },
      },
    ]
  })
}

/** The monitors on status pages that are published, with their places: the first has the highest number. */
function shownMonitors(database: ForeignDatabase): ReadonlyMap<number, number> {
  const pages = new Set(
    [...database.rows('status_page', ['id', 'published'])].flatMap((row) =>
      row.flag('published') ? row.integer('id') : [],
    ),
  )
  const groups = [...database.rows('group', ['id', 'status_page_id', 'weight'], { order: 'weight' })]
    .filter((row) => pages.has(row.integer('status_page_id')))
    .map((row) => row.integer('id'))
  const places = new Map<number, number[]>()
  for (const row of database.rows('monitor_group', ['monitor_id', 'group_id', 'weight'], { order: 'weight' })) {
    const members = places.get(row.integer('group_id')) ?? []
    members.push(row.integer('monitor_id'))
    places.set(row.integer('group_id'), members)
  }
  const inOrder = [...new Set(groups.flatMap((group) => places.get(group) ?? []))]
  return new Map(inOrder.map((monitor, index) => [monitor, inOrder.length - index]))
}
