import { randomUUID } from 'node:crypto'
import { openStore, type Store } from '../server/db/store.ts'
import { StoreError } from '../server/db/storeError.ts'
import { entityTable } from '../server/entities/entityTable.ts'
import { readSettings } from '../server/settings.ts'
import { openDataFolder } from '../server/start/dataFolder.ts'
import { StartError } from '../server/startError.ts'
import { timestamp } from '../server/wire/timestamp.ts'
import { server } from '../src/schemas/server.ts'
import { serverGroup } from '../src/schemas/serverGroup.ts'
import { readArguments } from './bootstrap/arguments.mjs'
import { randomlyFrom } from './seed/random.ts'
import { seedServer, sites } from './seed/server.ts'

const { numbers } = readArguments({
  name: 'npm run seed --',
  description: `Adds made-up servers and groups to the database in DATA_DIR, for load tests. Stop the server first.
The same number gives the same servers.`,
  options: { servers: { help: 'how many to add', default: 100, min: 1, max: 100_000 } },
})

function addServers(count: number): void {
  const folder = openDataFolder(readSettings(process.env).dataDir)
  try {
    const store = openStore(folder.database)
    const groups = seed(store, count)
    store.close()
    console.log(`Added ${count} servers and ${groups} groups to ${folder.database}.`)
  } finally {
    folder.release()
  }
}

/** @returns how many groups there are for them */
function seed(store: Store, count: number): number {
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

try {
  addServers(numbers.servers)
} catch (error) {
  if (!(error instanceof StartError || error instanceof StoreError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
