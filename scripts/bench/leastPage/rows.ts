import type { HostFacts, HostState } from '../../../src/schemas/machines/live.ts'

/** A server as the list reads it, as far as this page shows it. */
export interface LeastServer {
  id: number
  name: string
  display_index?: number
  note?: string
  uuid: string
  last_active: string
  host: HostFacts
  state: HostState
  geoip?: { ip?: { ipv4_addr?: string } }
  /** Names of the groups that it is in. */
  groups: string
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const words = new WeakMap<LeastServer, string>()

/** What the columns sort by, in their order. */
export const columns: readonly [heading: string, key: (server: LeastServer) => string | number][] = [
  ['ID', ({ display_index = 0, id }) => id - display_index * 1e9],
  ['Name', ({ name }) => name],
  ['Status', ({ last_active }) => last_active],
  ['CPU', ({ state }) => state.cpu ?? 0],
  ['Memory', ({ host, state }) => (state.mem_used ?? 0) / (host.mem_total ?? 1)],
  ['Disk', ({ host, state }) => (state.disk_used ?? 0) / (host.disk_total ?? 1)],
  ['Traffic', ({ state }) => state.net_in_speed ?? 0],
  ['Group', ({ groups }) => groups],
  ['IP', ({ geoip }) => geoip?.ip?.ipv4_addr ?? ''],
  ['Version', ({ host }) => host.version ?? ''],
  ['Last seen', ({ last_active }) => last_active],
]

function wordsOf(server: LeastServer): string {
  const { id, name, note, uuid, geoip, host, groups } = server
  const text =
    words.get(server) ??
    [`#${id}`, name, note, uuid, geoip?.ip?.ipv4_addr, host.platform, groups].join('\n').toLowerCase()
  words.set(server, text)
  return text
}

/** The servers whose words hold the searched text, in the order of a column. @param direction 1 or -1 */
export function found(servers: readonly LeastServer[], searched: string, column: number, direction: number) {
  const text = searched.trim().toLowerCase()
  const matching = text ? servers.filter((server) => wordsOf(server).includes(text)) : servers
  const keyOf = columns[column]?.[1] ?? (() => 0)
  const keyed = matching.map((server) => ({ server, key: keyOf(server) }))
  keyed.sort(({ key: a }, { key: b }) =>
    typeof a === 'number' && typeof b === 'number'
      ? direction * (a - b)
      : direction * collator.compare(String(a), String(b)),
  )
  return keyed.map(({ server }) => server)
}
