import { resolve } from 'node:path'
import { openAuditLog } from '../audit/auditLog.ts'
import { migrations } from '../db/migrations/index.ts'
import { restoreBackup } from '../db/restoreBackup.ts'
import type { Log } from '../log.ts'
import { readSettings } from '../settings.ts'
import { openDataFolder } from '../start/dataFolder.ts'

/** `restore FILE`: replaces the database in DATA_DIR by a backup while no server uses it; the old one is renamed. */
export function restore(file: string, log: Log): void {
  const backup = resolve(file)
  const folder = openDataFolder(readSettings(process.env).dataDir)
  try {
    const previousDatabase = restoreBackup(backup, folder.database, migrations.length)
    const audit = openAuditLog({ path: folder.auditFile })
    audit.write({ action: 'database.restore', target: backup })
    audit.close()
    log.info(`Restored ${folder.database} from ${backup}.`)
    if (previousDatabase) log.info(`The database from before is kept: ${previousDatabase}`)
  } finally {
    folder.release()
  }
}
