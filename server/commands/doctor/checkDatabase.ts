import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checkDatabaseFile } from '../../db/fileHeader.ts'
import { inspectDatabase } from '../../db/inspectDatabase.ts'
import { migrations } from '../../db/migrations/index.ts'
import type { Settings } from '../../settings.ts'
import { databaseIn, historyName, isClosedToUs, leftoversIn } from '../../start/dataFolder.ts'
import { type Check, type CheckResult, messageOf, resultsOf } from './check.ts'

const { ok, warning, failed } = resultsOf('database')

/** Whether the database and the history are whole. */
export const checkDatabase: Check = ({ settings: { upstream, dataDir, cluster } }) => {
  if (upstream) return []
  if (cluster) return checkPostgres(cluster)
  // The check of permissions says so.
  if (isClosedToUs(dataDir)) return []
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

async function checkPostgres(place: NonNullable<Settings['cluster']>): Promise<CheckResult[]> {
  const { inspectPostgres } = await import('../../db/postgres/inspect.ts')
  try {
    const { version, cluster } = await inspectPostgres(place, place.key)
    const text = `PostgreSQL ${version} can be reached`
    switch (cluster) {
      case 'led':
        return [ok(`${text}, and a server leads the cluster.`)]
      case 'none':
        return [
          warning(`${text}, and there is nothing of Wheelhouse yet.`, 'Start a server, or move one (wheelhouse move).'),
        ]
      case 'other key':
        return [failed(`${text}, and CLUSTER_KEY is not that of its servers.`, 'Give all of them the same one.')]
      case 'newer':
        return [failed(`${text}, and a newer Wheelhouse has written there.`, 'Update this one.')]
      default:
        return [failed(`${text}, and no server leads the cluster.`, 'Start one; the log says why it does not lead.')]
    }
  } catch (error) {
    return [failed(messageOf(error), 'Without it the server does not start, and saves nothing.')]
  }
}
