import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkDatabaseFile } from '../../db/fileHeader.ts'
import { inspectDatabase } from '../../db/inspectDatabase.ts'
import { migrations } from '../../db/migrations/index.ts'
import { databaseIn, historyName, leftoversIn } from '../../start/dataFolder.ts'
import { type Check, type CheckResult, messageOf, resultsOf } from './check.ts'

const { ok, failed } = resultsOf('database')

/** Whether the database and the history are whole. */
export const checkDatabase: Check = ({ settings: { upstream, dataDir } }) => {
  if (upstream) return []
  const database = databaseIn(dataDir)
  if (!existsSync(database)) {
    const leftovers = leftoversIn(dataDir).join(', ')
    const advice = leftovers
      ? `An earlier server left ${leftovers}: restore the latest backup (wheelhouse restore FILE).`
      : 'Set DATA_DIR to the folder that your server uses, or start the server once.'
    return [failed(`There is no database in ${dataDir}.`, advice)]
  }
  const history = join(dataDir, historyName)
  return [
    look(database, 'Stop the server and restore the latest backup (wheelhouse restore FILE).'),
    ...(existsSync(history) ? [look(history, 'Start the server anew: it puts a damaged history aside.')] : []),
  ]
}

function look(path: string, advice: string): CheckResult {
  try {
    checkDatabaseFile(path, migrations.length)
    return inspectDatabase(path, ({ isWhole }) => isWhole())
      ? ok(`${path} is whole.`)
      : failed(`${path} is damaged.`, advice)
  } catch (error) {
    return failed(`${path} cannot be read (${messageOf(error)}).`, advice)
  }
}
