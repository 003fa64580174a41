import { listBackups } from '../../backups/backupFiles.ts'
import { type Check, messageOf, resultsOf } from './check.ts'

const { ok, warning, failed } = resultsOf('backup')

const hourMs = 3_600_000
/** Hours: one is made each day, and tried again for some hours. */
const limits = { warning: 30, failed: 72 } as const

/** How old the latest backup is. */
export const checkBackups: Check = ({ settings: { upstream, backups }, now }) => {
  if (upstream) return []
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
