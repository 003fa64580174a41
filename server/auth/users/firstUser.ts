import { rmSync, writeFileSync } from 'node:fs'
import { roles } from '../../../src/schemas/define/access.ts'
import type { Store } from '../../db/store.ts'
import { generatePassword } from '../passwords/generatePassword.ts'
import { hashPassword } from '../passwords/password.ts'
import { addUser, usersIn } from './users.ts'

const username = 'admin'

/** Which user's sign-in ends the file with the password. */
const fileIsFor = 'auth.passwordFileFor'

interface FirstUserOptions {
  /** The operator's choice. Left out: one is generated. */
  adminPassword: string | undefined
  passwordFile: string
  /** Whether a person sees what is printed; a log is no place for a password. */
  isTerminal: boolean
}

export interface FirstUser {
  /** Writes the user down. @returns what to tell the operator, nothing when the password was their own choice */
  create(): string | undefined
}

/**
 * Gets the first user ready on a store without users: the slow part, so that `create` takes no time once the server
 * listens. @returns `undefined` when there are users
 */
export async function prepareFirstUser(store: Store, options: FirstUserOptions): Promise<FirstUser | undefined> {
  const users = usersIn(store)
  if (users.count() > 0) return undefined
  const { adminPassword, passwordFile, isTerminal } = options
  const chosen = adminPassword ?? generatePassword()
  const password = await hashPassword(chosen)
  const needsFile = adminPassword === undefined && !isTerminal
  return {
    create() {
      // File first: killed between the two, the next start begins again.
      if (needsFile) writeSecret(passwordFile, `${chosen}\n`)
      store.transaction(() => {
        const id = addUser(users, { username, password, role: roles.admin, now: Date.now() })
        if (needsFile) store.setValue(fileIsFor, id)
      })
      if (needsFile) {
        return `First start: sign in as "${username}". The password is in ${passwordFile}, which is deleted at the first sign-in.`
      }
      return adminPassword === undefined
        ? `First start: sign in as "${username}" with the password ${chosen} (it is not shown again).`
        : undefined
    },
  }
}

/** Deletes the file with the password once the person whom it was for has signed in. */
export function forgetFirstPassword(store: Store, passwordFile: string, userId: number): void {
  if (store.value(fileIsFor) !== userId) return
  rmSync(passwordFile, { force: true })
  store.setValue(fileIsFor, undefined)
}

function writeSecret(path: string, text: string): void {
  // Writing over a file would keep its old rights.
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
}
