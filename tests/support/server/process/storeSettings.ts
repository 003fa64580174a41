import { randomBytes } from 'node:crypto'
import { isOnPostgres } from '../emptyStore.ts'
import { openServers } from '../openServers.ts'

/** Settings of the database that stands for each data folder. */
const databases = new Map<string, Promise<Record<string, string>>>()

/**
 * The settings of a server or a command. With `TEST_STORE=postgres`, each data folder has a schema of its own in place of
 * its file, which goes with the test; settings that name a database themselves, and those of a gateway, which has none, stay
 * as they are.
 */
export async function storeSettings(settings: Record<string, string>): Promise<Record<string, string>> {
  const { DATA_DIR: folder, DATABASE_URL: url, UPSTREAM: upstream } = settings
  if (!isOnPostgres || folder === undefined || url !== undefined || upstream !== undefined) return settings
  const database = databases.get(folder) ?? newDatabase()
  databases.set(folder, database)
  return { ...(await database), ...settings }
}

async function newDatabase(): Promise<Record<string, string>> {
  const { dropPlace, newPlace } = await import('../../postgres/testPostgres.ts')
  const place = await newPlace()
  openServers.add({ close: () => dropPlace(place) })
  return {
    DATABASE_URL: place.url,
    WHEELHOUSE_SCHEMA: place.schema,
    CLUSTER_KEY: randomBytes(32).toString('base64'),
  }
}
