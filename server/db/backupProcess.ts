import { errorCause, errorCode, errorMessage } from '../../src/domain/errors.ts'
import { createBackup } from './createBackup.ts'
import { sqliteCode } from './storeError.ts'

/** What the process sends before it ends: nothing, or why there is no copy. */
export interface BackupOutcome {
  failure?: string
  /** SQLite's or the system's code of a full disk and the like. */
  code?: string
  errcode?: number
}

/** Copies a database, the first argument, to a file, the second. `runBackupProcess` starts it as a process. */
function main([database = '', target = '']: readonly string[]): BackupOutcome {
  try {
    createBackup(database, target)
    return {}
  } catch (error) {
    const cause = errorCause(error) ?? error
    return { failure: errorMessage(error), code: errorCode(cause), errcode: sqliteCode(cause) }
  }
}

const outcome = main(process.argv.slice(2))
process.send?.(outcome, () => process.disconnect())
