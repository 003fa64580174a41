import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { openAuditLog } from '../audit/auditLog.ts'
import { historyBeside } from '../db/createBackup.ts'
import { migrations } from '../db/migrations/index.ts'
import { historyDatabase, mainDatabase, restoreBackup } from '../db/restoreBackup.ts'
import { StartError } from '../log.ts'
import { readSettings } from '../settings.ts'
import { openDataFolder } from '../start/dataFolder.ts'
import type { CommandContext } from './configuration/command.ts'

/**
 * `restore FILE`: replaces the database in DATA_DIR by a backup while no server uses it, and the history by the copy
 * beside the file, if there is one; the old ones are renamed.
 */
export function restore(file: string, { log, env }: CommandContext): void {
  const backup = resolve(file)
  const { cluster, dataDir } = readSettings(env)
  if (cluster) {
    throw new StartError(
      'The database is in PostgreSQL, which is restored with its own programs. To begin anew with this file, put it into ' +
        'an empty DATA_DIR as wheelhouse.db, and move it to another WHEELHOUSE_SCHEMA (wheelhouse move --to …).',
    )
  }
  const folder = openDataFolder(dataDir)
  try {
    const previousDatabase = restoreBackup(backup, folder.database, mainDatabase(migrations.length))
    const audit = openAuditLog({ path: folder.auditFile })
    audit.write({ action: 'database.restore', target: backup })
    audit.close()
    log.info(`Restored ${folder.database} from ${backup}.`)
    if (previousDatabase) log.info(`The database from before is kept: ${previousDatabase}`)
    const history = historyBeside(backup)
    if (!existsSync(history)) return
    const previousHistory = restoreBackup(history, folder.historyFile, historyDatabase)
    log.info(`Restored ${folder.historyFile} from ${history}.`)
    if (previousHistory) log.info(`The history from before is kept: ${previousHistory}`)
  } finally {
    folder.release()
  }
}
