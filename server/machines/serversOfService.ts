import type { service } from '../../src/schemas/service.ts'
import type { Row } from '../entities/row.ts'
import type { ReachedServers } from '../person.ts'

/** The servers that a service names; a service for all servers with exceptions may reach any. */
export function serversOfService({
  cover,
  skip_servers,
}: Pick<Row<typeof service>, 'cover' | 'skip_servers'>): ReachedServers {
  if (cover !== 1) return 'all'
  return Object.entries(skip_servers ?? {}).flatMap(([id, isListed]) => (isListed ? [Number(id)] : []))
}
