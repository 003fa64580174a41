import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { type Silences, silenceEndpoints } from '../../schemas/endpoints/silence.ts'

/** Why nobody is notified about a server or service, and until when, in ms since 1970; no time: until it recovers. */
export interface Silence {
  kind: 'maintenance' | 'muted'
  until?: number
}

export interface SilenceById {
  server: ReadonlyMap<number, Silence>
  service: ReadonlyMap<number, Silence>
}

/** The first part of the key of what is silent, for those who change it. */
export const silencesKey = ['silences']

/** Milliseconds. */
const refreshInterval = 15_000

/**
 * The query for what is silent, for all records at once; of servers that announce `wheelhouse.maintenance` only. A mute of
 * one rule silences no server.
 */
export const silencesQuery = ({ call }: Pick<ConsoleDataProvider, 'call'>) => ({
  queryKey: silencesKey,
  queryFn: async () => silenceById(await call(silenceEndpoints.silences)),
  structuralSharing: false,
  staleTime: refreshInterval / 2,
  refetchInterval: refreshInterval,
})

function silenceById({ windows, mutes }: Silences): SilenceById {
  const byId = { server: new Map<number, Silence>(), service: new Map<number, Silence>() }
  for (const { server_id, rule_id, service_id, until } of mutes) {
    const silence = { kind: 'muted', until: until === undefined ? undefined : Date.parse(until) } as const
    if (server_id > 0 && rule_id === 0) byId.server.set(server_id, silence)
    if (service_id > 0) byId.service.set(service_id, silence)
  }
  // After the mutes: a window says more about what people see.
  for (const { until, servers, services } of windows) {
    const silence = { kind: 'maintenance', until: Date.parse(until) } as const
    for (const id of servers) byId.server.set(id, longer(silence, byId.server.get(id)))
    for (const id of services) byId.service.set(id, longer(silence, byId.service.get(id)))
  }
  return byId
}

/** The maintenance window that ends later. */
const longer = (one: Silence, other: Silence | undefined) =>
  other?.kind === 'maintenance' && (other.until ?? 0) > (one.until ?? 0) ? other : one
