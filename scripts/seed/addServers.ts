import { randomUUID } from 'node:crypto'
import type { Store } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { timestamp } from '../../server/wire/apiCall.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { randomlyFrom } from './random.ts'
import { seedServer, sites } from './server.ts'

/** Adds made-up servers, and a group for each site. @returns how many groups there are */
export function addServers(store: Store, count: number): number {
  const now = timestamp()
  const written = { created_at: now, updated_at: now }
  // The same number gives the same servers: two runs of a test see the same lists.
  const random = randomlyFrom(count)
  return store.transaction(() => {
    const servers = entityTable(store, server)
    const members = new Map<string, number[]>(sites.map((site) => [site, []]))
    for (let number = 1; number <= count; number++) {
      const { site, ...row } = seedServer(number, random)
      const id = servers.insert({ ...written, ...row, uuid: randomUUID() })
      members.get(site)?.push(id)
    }
    const filled = [...members].filter(([, ids]) => ids.length > 0)
    const groups = entityTable(store, serverGroup)
    for (const [name, ids] of filled) groups.insert({ ...written, name, servers: ids })
    return filled.length
  })
}
