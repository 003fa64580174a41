import { roles } from '../../src/schemas/define/access.ts'
import { openAuditLog } from '../audit/auditLog.ts'
import { type Auth, createAuth } from '../auth/auth.ts'
import { generatePassword } from '../auth/passwords/generatePassword.ts'
import { hashPassword } from '../auth/passwords/password.ts'
import { deletePasswordFile } from '../auth/users/firstUser.ts'
import type { User } from '../auth/users/users.ts'
import { openStore } from '../db/store.ts'
import { escapeUnseen, type Log } from '../log.ts'
import { openDataFolder } from '../start/dataFolder.ts'
import { StartError } from '../startError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { existingFolder } from './existingFolder.ts'

/**
 * `reset-password [user]`: gives a user of DATA_DIR (by default the first administrator) a generated password, prints it
 * once, and removes what else keeps this user out: sessions, blocks, and the rule to sign in with OAuth2 only.
 */
export async function resetPassword(username: string | undefined, log: Log): Promise<void> {
  const { passwordFile, auditFile, database, release } = openDataFolder(existingFolder().path)
  try {
    const store = openStore(database)
    try {
      const auth = createAuth({ store, now: Date.now })
      const user = find(auth, username)
      const password = generatePassword()
      change(auth, user, await hashPassword(password))
      deletePasswordFile(store, passwordFile, user.id)
      const audit = openAuditLog({ path: auditFile })
      audit.write({ action: 'user.reset-password', target: `user ${user.id}` })
      audit.close()
      log.info(`The password of "${escapeUnseen(user.username)}" is now ${password} (it is not shown again).`)
      log.info('All sessions of this user have ended.')
      if (user.reject_password) log.info('This user may sign in with a password again.')
    } finally {
      store.close()
    }
  } finally {
    release()
  }
}

/** Wrong passwords are the usual reason for a reset: the addresses that they blocked are unblocked. */
function change({ store, users, sessions, waf }: Auth, { id }: User, password: string): void {
  const blocked = waf.rows().filter((row) => row.block_identifier === id)
  store.transaction(() => {
    users.update(id, { password, reject_password: false, updated_at: timestamp(Date.now()) })
    sessions.revokeAll(id)
  })
  for (const { ip } of blocked) waf.clearFailures(ip, id)
  waf.flush()
}

/** The number of names in the message. */
const maxNames = 20

function find({ users }: Auth, username: string | undefined): User {
  const all = users.all()
  const found = all.find((user) => (username === undefined ? user.role === roles.admin : user.username === username))
  if (found) return found
  if (username === undefined) throw new StartError('There is no administrator: name a user.')
  const names = all.slice(0, maxNames).map((user) => escapeUnseen(user.username))
  throw new StartError(`There is no user "${escapeUnseen(username)}": name one of ${names.join(', ')}.`)
}
