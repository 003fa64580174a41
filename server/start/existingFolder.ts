import { existsSync } from 'node:fs'
import { readSettings } from '../settings.ts'
import { StartError } from '../startError.ts'
import { databaseIn, refuseClosedFolder } from './dataFolder.ts'

/**
 * The data folder of a server that was started before: a command must not create a new one by accident.
 * @throws StartError when there is no database in it, or it is not open to this user
 */
export function existingFolder(env: NodeJS.ProcessEnv): { path: string; database: string } {
  const { dataDir } = readSettings(env)
  refuseClosedFolder(dataDir)
  const database = databaseIn(dataDir)
  if (!existsSync(database)) {
    throw new StartError(`There is no database in ${dataDir}: set DATA_DIR to the folder that your server uses.`)
  }
  return { path: dataDir, database }
}
