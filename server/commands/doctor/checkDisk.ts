import { existsSync, statfsSync } from 'node:fs'
import { type Check, type CheckResult, resultsOf } from './check.ts'

const { ok, warning, failed } = resultsOf('disk')

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
  if (free < limits.failed) return failed(text, advice)
  return free < limits.warning ? warning(text, advice) : ok(text)
}
