import { existsSync, lstatSync, readdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { checkDatabaseFile } from '../../db/fileHeader.ts'
import { inspectDatabase } from '../../db/inspectDatabase.ts'
import { migrations } from '../../db/migrations/index.ts'
import type { Settings } from '../../settings.ts'
import { databaseIn, historyName, isClosedToUs, leftoversIn, timelineFileIn } from '../../start/dataFolder.ts'
import { type Check, type CheckResult, messageOf, resultsOf } from './check.ts'

const data = resultsOf('database')

/** Whether the database and the history are whole. */
export const checkDatabase: Check = ({ settings: { upstream, dataDir, cluster } }) => {
  if (upstream) return []
  if (cluster) return checkPostgres(cluster, dataDir)
  // The check of permissions says so.
  if (isClosedToUs(dataDir)) return []
  const database = databaseIn(dataDir)
  if (!existsSync(database)) {
    const leftovers = leftoversIn(dataDir).join(', ')
    const advice = leftovers
      ? `An earlier server left ${leftovers}: restore the latest backup (wheelhouse restore FILE).`
      : 'Set DATA_DIR to the folder that your server uses, or start the server once.'
    return [data.failed(`There is no database in ${dataDir}.`, advice)]
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
      ? data.ok(`${path} is whole.`)
      : data.failed(`${path} is damaged.`, advice)
  } catch (error) {
    return data.failed(`${path} cannot be read (${messageOf(error)}).`, advice)
  }
}

async function checkPostgres(
  { url, schema, key }: NonNullable<Settings['cluster']>,
  dataDir: string,
): Promise<CheckResult[]> {
  const { inspectPostgres } = await import('../../db/postgres/inspect.ts')
  const { openTimelineMemory } = await import('../../db/postgres/timeline.ts')
  try {
    const timeline = openTimelineMemory(timelineFileIn(dataDir), { isKept: false })
    const { version, cluster } = await inspectPostgres({ url, schema, timeline }, key)
    const text = `PostgreSQL ${version} can be reached`
    switch (cluster) {
      case 'led':
        return [data.ok(`${text}, and a server leads the cluster.`)]
      case 'none':
        return [
          data.warning(
            `${text}, and there is nothing of Wheelhouse yet.`,
            'Start a server, or move one (wheelhouse move).',
          ),
        ]
      case 'other key':
        return [data.failed(`${text}, and CLUSTER_KEY is not that of its servers.`, 'Give all of them the same one.')]
      case 'newer':
        return [data.failed(`${text}, and a newer Wheelhouse has written there.`, 'Update this one.')]
      default:
        return [
          data.failed(`${text}, and no server leads the cluster.`, 'Start one; the log says why it does not lead.'),
        ]
    }
  } catch (error) {
    return [data.failed(messageOf(error), 'Without it the server does not start, and saves nothing.')]
  }
}

const { ok, warning, failed } = resultsOf('permissions')

/** What other users may do, of the bits of a file. */
const others = 0o077
/** What everybody may do. */
const everybody = 0o007

/** Files that are named; a message has to stay a sentence. */
const maxNamed = 5

/** Whether other users can read the data folder or the key of the certificate, and its owner everything in it. */
export const checkFolder: Check = ({ settings: { upstream, dataDir, tls } }) => {
  // Windows has other permissions.
  if (process.platform === 'win32') return []
  const results: CheckResult[] = []
  if (!upstream && existsSync(dataDir)) results.push(checkDataFolder(dataDir))
  if (tls && existsSync(tls.key) && lstatSync(tls.key).isFile() && lstatSync(tls.key).mode & everybody) {
    results.push(warning(`Every user of this machine can read the key ${tls.key}.`, `chmod o-rwx ${tls.key}`))
  }
  return results
}

function checkDataFolder(folder: string): CheckResult {
  try {
    const { uid, mode } = lstatSync(folder)
    const files = readdirSync(folder).map((name) => ({ name, ...stateOf(join(folder, name)) }))
    const foreign = files.filter((file) => file.uid !== uid)
    if (foreign.length > 0) {
      const text = `In ${folder}, these do not belong to the owner of the folder: ${namesOf(foreign)}.`
      return failed(text, `chown them to the owner: the server cannot write them.`)
    }
    if (mode & others) return warning(`Other users can look into ${folder}.`, `chmod 700 ${folder}`)
    return ok(`Only its owner can look into ${folder}.`)
  } catch (error) {
    return failed(
      `The data folder ${folder} cannot be read (${messageOf(error)}).`,
      'Run this as the user of the server.',
    )
  }
}

const stateOf = (path: string) => {
  const { uid } = lstatSync(path)
  return { uid }
}

const namesOf = (files: readonly { name: string }[]) =>
  files
    .slice(0, maxNamed)
    .map(({ name }) => name)
    .join(', ')

const disk = resultsOf('disk')

/** Bytes: below the first nothing can be saved soon, below the second somebody should look. */
const limits = { failed: 64_000_000, warning: 1_000_000_000 } as const

/** The free space of the data folder, and of the folder of backups. */
export const checkDisk: Check = ({ settings: { upstream, dataDir, backups } }) =>
  upstream ? [] : [dataDir, ...(backups ? [backups.folder] : [])].filter((folder) => existsSync(folder)).map(freeSpace)

function freeSpace(folder: string): CheckResult {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const text = `${Math.floor(free / 1_000_000)} MB are free on the disk of ${folder}.`
  const advice = 'Free some space, or give the folder a larger disk: on a full one nothing can be saved.'
  if (free < limits.failed) return disk.failed(text, advice)
  return free < limits.warning ? disk.warning(text, advice) : disk.ok(text)
}
