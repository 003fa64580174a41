import { openStore } from '../server/db/store.ts'
import { StoreError } from '../server/db/storeError.ts'
import { StartError } from '../server/log.ts'
import { readSettings } from '../server/settings.ts'
import { openDataFolder } from '../server/start/dataFolder.ts'
import { readArguments } from './bootstrap/arguments.mjs'
import { addServers } from './seed/addServers.ts'

const { numbers } = readArguments({
  name: 'npm run seed --',
  description: `Adds made-up servers and groups to the database in DATA_DIR, for load tests. Stop the server first.
The same number gives the same servers.`,
  options: { servers: { help: 'how many to add', default: 100, min: 1, max: 100_000 } },
})

function seed(count: number): void {
  const folder = openDataFolder(readSettings(process.env).dataDir)
  try {
    const store = openStore(folder.database)
    const groups = addServers(store, count)
    store.close()
    console.log(`Added ${count} servers and ${groups} groups to ${folder.database}.`)
  } finally {
    folder.release()
  }
}

try {
  seed(numbers.servers)
} catch (error) {
  if (!(error instanceof StartError || error instanceof StoreError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
