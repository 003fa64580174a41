import type { service } from '../../src/schemas/service.ts'
import type { Row } from '../entities/entityTable.ts'
import type { ReachedServers } from '../person.ts'

/** By what is stored, which a write replaces: every list asks for every service, each of which may name thousands. */
const known = new WeakMap<object, readonly number[]>()

/** The servers that a service names; a service for all servers with exceptions may reach any. */
export function serversOfService({
  cover,
  skip_servers,
}: Pick<Row<typeof service>, 'cover' | 'skip_servers'>): ReachedServers {
  if (cover !== 1) return 'all'
  if (!skip_servers) return []
  const servers = known.get(skip_servers) ?? namedIn(skip_servers)
  known.set(skip_servers, servers)
  return servers
}

const namedIn = (servers: Record<number, boolean>) =>
  Object.entries(servers).flatMap(([id, isListed]) => (isListed ? [Number(id)] : []))
