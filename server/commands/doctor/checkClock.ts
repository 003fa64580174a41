import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { inspectDatabase } from '../../db/inspectDatabase.ts'
import { databaseIn } from '../../start/dataFolder.ts'
import { type Check, type CheckResult, resultsOf } from './check.ts'

const { ok, warning } = resultsOf('clock')

/** Milliseconds: what was stored a moment ago may be a little ahead of this look. */
const toleranceMs = 60_000

const setClock = 'Set the clock, and let the machine keep it with NTP (timedatectl set-ntp true).'

/**
 * The clock of this machine. No other machine is asked, so that a clock which was always wrong cannot be seen: only one
 * that runs behind what is stored, and one that the system itself calls unsynchronized.
 */
export const checkClock: Check = ({ settings, now }) => {
  const results: CheckResult[] = []
  const newest = settings.upstream ? undefined : newestChange(databaseIn(settings.dataDir))
  if (newest !== undefined && newest > now + toleranceMs) {
    const text = `The clock is behind the database, whose newest change is of ${new Date(newest).toISOString()}.`
    results.push(warning(text, setClock))
  }
  const isSynchronized = askTimedatectl()
  if (isSynchronized === false) results.push(warning('The system says that its clock is not synchronized.', setClock))
  if (results.length > 0) return results
  return [
    isSynchronized
      ? ok('The system says that its clock is synchronized.')
      : ok('The clock is not behind what is stored. Whether it is right cannot be seen without another one.'),
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
