import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import packageJson from '../../../package.json' with { type: 'json' }
import { misspelledSettings } from '../../../scripts/bootstrap/usage.mjs'
import { listBackups } from '../../backups/backupFiles.ts'
import { inspectDatabase } from '../../db/inspectDatabase.ts'
import { StartError } from '../../log.ts'
import { readSettings, type Settings } from '../../settings.ts'
import { readSite, type Site } from '../../site/site.ts'
import { databaseIn } from '../../start/dataFolder.ts'
import type { CommandContext, CommandOptions } from '../configuration/command.ts'
import { type Check, type CheckResult, type CheckStatus, type DoctorContext, messageOf, resultsOf } from './check.ts'
import { checkPort, checkProxy } from './checkAddress.ts'
import { checkAgents } from './checkAgents.ts'
import { checkDatabase, checkDisk, checkFolder } from './checkData.ts'
import { checkTls } from './checkTls.ts'

const clock = resultsOf('clock')

/** Milliseconds: what was stored a moment ago may be a little ahead of this look. */
const toleranceMs = 60_000

const setClock = 'Set the clock, and let the machine keep it with NTP (timedatectl set-ntp true).'

/**
 * The clock of this machine. No other machine is asked, so that a clock which was always wrong cannot be seen: only one
 * that runs behind what is stored, and one that the system itself calls unsynchronized.
 */
const checkClock: Check = ({ settings, now }) => {
  const results: CheckResult[] = []
  const newest = settings.upstream ? undefined : newestChange(databaseIn(settings.dataDir))
  if (newest !== undefined && newest > now + toleranceMs) {
    const text = `The clock is behind the database, whose newest change is of ${new Date(newest).toISOString()}.`
    results.push(clock.warning(text, setClock))
  }
  const isSynchronized = askTimedatectl()
  if (isSynchronized === false)
    results.push(clock.warning('The system says that its clock is not synchronized.', setClock))
  if (results.length > 0) return results
  return [
    isSynchronized
      ? clock.ok('The system says that its clock is synchronized.')
      : clock.ok('The clock is not behind what is stored. Whether it is right cannot be seen without another one.'),
  ]
}

/** Milliseconds since 1970 of the last sign-in or change of a user or server. */
function newestChange(path: string): number | undefined {
  if (!existsSync(path)) return undefined
  try {
    const newest = inspectDatabase(path, ({ latestUpdate }) => latestUpdate(['user', 'server']))
    const at = Date.parse(newest ?? '')
    return Number.isNaN(at) ? undefined : at
  } catch {
    // The check of the database says why.
    return undefined
  }
}

/** `undefined` where there is no systemd. */
function askTimedatectl(): boolean | undefined {
  try {
    const answer = execFileSync('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
      encoding: 'utf8',
      timeout: 5000,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return answer === 'yes' ? true : answer === 'no' ? false : undefined
  } catch {
    return undefined
  }
}

const { ok, warning, failed } = resultsOf('backup')

const hourMs = 3_600_000
/** Hours: one is made each day, and tried again for some hours. */
const limits = { warning: 30, failed: 72 } as const

/** How old the latest backup is. */
const checkBackups: Check = ({ settings: { upstream, cluster, backups }, now }) => {
  if (upstream || cluster) return []
  if (!backups) {
    return [warning('No backups are made: BACKUP_DIR is not set.', 'Set it to a folder on another disk.')]
  }
  try {
    const latest = listBackups(backups.folder).find(({ isComplete }) => isComplete)
    if (!latest) return [failed(`There is no backup in ${backups.folder}.`, 'The log of the server says why.')]
    const hours = Math.floor((now - latest.time) / hourMs)
    const text = `The latest backup in ${backups.folder} is ${hours} hours old.`
    if (hours < limits.warning) return [ok(text)]
    return [(hours < limits.failed ? warning : failed)(text, 'The log of the server says why there is no newer one.')]
  } catch (error) {
    const advice = 'Start the server with this BACKUP_DIR, and let this user read the folder.'
    return [failed(`The folder ${backups.folder} cannot be read (${messageOf(error)}).`, advice)]
  }
}

/** Those that look at files come before root becomes the owner of the data folder. */
const checksAsCaller: readonly Check[] = [checkFolder, checkTls]
const checks: readonly Check[] = [
  checkPort,
  checkProxy,
  checkAgents,
  checkDisk,
  checkClock,
  checkBackups,
  checkDatabase,
]

/** As monitoring programs expect them. */
const exitCodes = { ok: 0, warning: 1, failed: 2 } as const satisfies Record<CheckStatus, number>

/** `doctor`: looks at a running installation. @returns the exit code: 0, 1 for warnings or 2 for what failed */
export async function doctor(
  _argument: string,
  { log, env }: CommandContext,
  { json, env: file }: CommandOptions,
): Promise<number> {
  const results = await examine(env, typeof file === 'string' ? file : undefined)
  if (json) log.info(JSON.stringify(results, undefined, 2))
  else for (const result of results) log.info(lineOf(result))
  return Math.max(...results.map(({ status }) => exitCodes[status]))
}

async function examine(env: NodeJS.ProcessEnv, envFile: string | undefined): Promise<CheckResult[]> {
  let settings: Settings
  let misspelled: CheckResult[] = []
  try {
    // What is in the environment counts, whatever the file says.
    const given = envFile ? { ...parseEnv(readFileSync(envFile, 'utf8')), ...env } : env
    misspelled = misspelledSettings(given).map((text) =>
      resultsOf('settings').warning(text, 'It has no effect under this name.'),
    )
    settings = readSettings(given)
  } catch (error) {
    const text = error instanceof StartError ? error.message : `${envFile} cannot be read (${messageOf(error)}).`
    const advice = text.startsWith('CLUSTER_KEY must')
      ? `This is a new one, for all servers with this DATABASE_URL: CLUSTER_KEY=${randomBytes(32).toString('base64')}`
      : 'With this the server does not start.'
    return [...misspelled, { check: 'settings', status: 'failed', text, advice }]
  }
  const context: DoctorContext = {
    settings,
    address: addressOf(settings),
    site: undefined,
    version: packageJson.version,
    now: Date.now(),
  }
  const first = await runAll(checksAsCaller, context)
  becomeOwner(settings.dataDir)
  const site = settings.upstream ? undefined : siteOf(settings)
  return [...misspelled, ...(await runAll(checks, { ...context, site })), ...first]
}

async function runAll(all: readonly Check[], context: DoctorContext): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of all) results.push(...(await check(context)))
  return results
}

/** Root would leave files of its own beside the database, which the server could not write. */
function becomeOwner(folder: string): void {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return
  const { uid, gid } = lstatSync(folder)
  if (uid === 0) return
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

function siteOf({ dataDir }: Settings): Site | undefined {
  const path = databaseIn(dataDir)
  if (!existsSync(path)) return undefined
  try {
    return inspectDatabase(path, readSite)
  } catch {
    // The check of the database says why.
    return undefined
  }
}

function addressOf({ host, port, tls }: Settings): URL | undefined {
  if (port === 0) return undefined
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new URL(`${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}`)
}

/** `warning  disk         812 MB are free …`, and below it what to do. */
function lineOf({ check, status, text, advice }: CheckResult): string {
  const line = `${status.padEnd(8)} ${check.padEnd(12)} ${text}`
  return advice ? `${line}\n${' '.repeat(22)}${advice}` : line
}
