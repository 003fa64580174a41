import type { HostFacts, HostState } from '../../../src/schemas/machines/live.ts'

/** A server as the list reads it, as far as the baseline shows it. */
export interface BaselineServer {
  id: number
  name: string
  display_index?: number
  note?: string
  uuid: string
  last_active: string
  host: HostFacts
  state: HostState
  geoip?: { ip?: { ipv4_addr?: string } }
}

/** Names of the groups that a server is in, by its id. */
export type GroupNames = ReadonlyMap<number, readonly string[]>

export function groupNames(groups: readonly { group: { name: string }; servers: number[] }[]): GroupNames {
  const names = new Map<number, string[]>()
  for (const { group, servers } of groups) {
    for (const id of servers) names.set(id, [...(names.get(id) ?? []), group.name])
  }
  return names
}

/** What the columns sort by, in their order. */
export const columns: readonly [
  heading: string,
  key: (server: BaselineServer, groups: GroupNames) => string | number,
][] = [
  ['ID', ({ display_index = 0, id }) => id - display_index * 1e9],
  ['Name', ({ name }) => name],
  ['Status', ({ last_active }) => last_active],
  ['CPU', ({ state }) => state.cpu ?? 0],
  ['Memory', ({ host, state }) => (state.mem_used ?? 0) / (host.mem_total ?? 1)],
  ['Disk', ({ host, state }) => (state.disk_used ?? 0) / (host.disk_total ?? 1)],
  ['Traffic', ({ state }) => state.net_in_speed ?? 0],
  ['Group', ({ id }, groups) => groups.get(id)?.join(', ') ?? ''],
  ['IP', ({ geoip }) => geoip?.ip?.ipv4_addr ?? ''],
  ['Version', ({ host }) => host.version ?? ''],
  ['Last seen', ({ last_active }) => last_active],
]

const words = new WeakMap<BaselineServer, string>()

function wordsOf(server: BaselineServer, groups: GroupNames): string {
  const cached = words.get(server)
  if (cached !== undefined) return cached
  const { id, name, note, uuid, geoip, host } = server
  const text = [`#${id}`, name, note, uuid, geoip?.ip?.ipv4_addr, host.platform, ...(groups.get(id) ?? [])].join('\n')
  words.set(server, text.toLowerCase())
  return text.toLowerCase()
}

/** The servers whose words hold the searched text. */
export function matching(servers: readonly BaselineServer[], groups: GroupNames, searched: string): BaselineServer[] {
  const text = searched.trim().toLowerCase()
  return text ? servers.filter((server) => wordsOf(server, groups).includes(text)) : [...servers]
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** @param column its place among the columns; @param direction 1 or -1 */
export function sorted(
  servers: BaselineServer[],
  groups: GroupNames,
  column: number,
  direction: number,
): BaselineServer[] {
  const keyOf = columns[column]?.[1]
  if (!keyOf) return servers
  const keyed = servers.map((server) => ({ server, key: keyOf(server, groups) }))
  keyed.sort(({ key: a }, { key: b }) =>
    typeof a === 'number' && typeof b === 'number'
      ? direction * (a - b)
      : direction * collator.compare(String(a), String(b)),
  )
  return keyed.map(({ server }) => server)
}
