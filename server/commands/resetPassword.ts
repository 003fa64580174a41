import { createInterface } from 'node:readline/promises'
import { roles } from '../../src/schemas/define/access.ts'
import { type Auth, createAuth } from '../auth/auth.ts'
import { generatePassword, hashPassword } from '../auth/passwords/password.ts'
import { deletePasswordFile, type User } from '../auth/users/users.ts'
import { escapeUnseen, StartError } from '../log.ts'
import { openOffline } from '../start/offlineStore.ts'
import { timestamp } from '../wire/apiCall.ts'
import type { CommandContext } from './configuration/command.ts'

interface ResetOptions {
  /** Without it, a person at a terminal is asked. */
  removesSecondFactor: boolean
}

/**
 * `reset-password [user]`: gives a user (by default the first administrator) a generated password, prints it
 * once, and removes what else keeps this user out: sessions, blocks, the rule to sign in by providers only and, if that is
 * wanted, the second factor.
 */
export async function resetPassword(
  username: string | undefined,
  { log, env }: CommandContext,
  { removesSecondFactor }: ResetOptions,
): Promise<void> {
  const { folder, store, openAudit, close } = await openOffline(env, log)
  try {
    const { passwordFile } = folder
    const auth = createAuth({ store, now: Date.now })
    const user = find(auth, username)
    const password = generatePassword()
    const isOnlyWay = auth.signInProviders.isOnlyWay()
    const hasSecondFactor = auth.secondFactor.has(user.id)
    const removes = hasSecondFactor && (removesSecondFactor || (await wantsRemoval()))
    change(auth, user, await hashPassword(password))
    if (removes) auth.secondFactor.remove(user.id)
    deletePasswordFile(store, passwordFile, user.id)
    const audit = openAudit()
    audit.write({ action: 'user.reset-password', target: `user ${user.id}` })
    if (removes) audit.write({ action: 'user.reset-second-factor', target: `user ${user.id}` })
    audit.close()
    log.info(`The password of "${escapeUnseen(user.username)}" is now ${password} (it is not shown again).`)
    log.info('All sessions of this user have ended.')
    if (user.reject_password || isOnlyWay) log.info('This user may sign in with a password again.')
    if (isOnlyWay) {
      log.info('Everybody else still signs in by a provider only: the setting is on the page Settings, Sign-in.')
    }
    if (removes) log.info('The second factor was removed: authenticator app, passkeys and recovery codes.')
    else if (hasSecondFactor) {
      log.info('The second factor stays; to remove it too, repeat this with --remove-second-factor.')
    }
  } finally {
    await close()
  }
}

/** Asks a person at a terminal; nobody else is asked. */
async function wantsRemoval(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question('This user has a second factor. Remove it as well? [y/N] ')
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

/** Wrong passwords are the usual reason for a reset: the addresses that they blocked are unblocked. */
function change({ store, users, sessions, signInProviders, waf }: Auth, { id }: User, password: string): void {
  const blocked = waf.rows().filter((row) => row.block_identifier === id)
  store.transaction(() => {
    users.update(id, {
      password,
      reject_password: false,
      readmitted: signInProviders.isOnlyWay(),
      updated_at: timestamp(Date.now()),
    })
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
