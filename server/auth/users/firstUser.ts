import { rmSync, writeFileSync } from 'node:fs'
import { roles } from '../../../src/schemas/define/access.ts'
import type { Store } from '../../db/store.ts'
import { generatePassword, hashPassword } from '../passwords/password.ts'
import { addUser, usersIn } from './users.ts'

const username = 'admin'

/** Key of the user whose sign-in deletes the file with the password. */
const passwordFileUserKey = 'auth.passwordFileFor'

interface FirstUserOptions {
  /** The operator's choice. Default: one is generated. */
  adminPassword: string | undefined
  passwordFile: string
  /** Whether the output is a terminal: a password does not belong in a log. */
  isTerminal: boolean
}

export interface FirstUser {
  /** Stores the user. @returns a message for the operator; none when they chose the password themselves */
  create(): string | undefined
}

/**
 * Hashes the password of the first user of an empty store. That is the slow part: `create` then takes no time once the
 * server listens. @returns `undefined` when there are users
 */
export async function prepareFirstUser(store: Store, options: FirstUserOptions): Promise<FirstUser | undefined> {
  const users = usersIn(store)
  if (users.count() > 0) return undefined
  const { adminPassword, passwordFile, isTerminal } = options
  const plainPassword = adminPassword ?? generatePassword()
  const password = await hashPassword(plainPassword)
  const needsFile = adminPassword === undefined && !isTerminal
  return {
    create() {
      // The file first: if the process is killed in between, the next start repeats both.
      if (needsFile) writeSecret(passwordFile, `${plainPassword}\n`)
      store.transaction(() => {
        const id = addUser(users, { username, password, role: roles.admin, now: Date.now() })
        if (needsFile) store.setValue(passwordFileUserKey, id)
      })
      if (needsFile) {
        return `First start: sign in as "${username}". The password is in ${passwordFile}, which is deleted at the first sign-in.`
      }
      return adminPassword === undefined
        ? `First start: sign in as "${username}" with the password ${plainPassword} (it is not shown again).`
        : undefined
    },
  }
}

/** Deletes the file with the generated password once its user has signed in. */
export function deletePasswordFile(store: Store, passwordFile: string, userId: number): void {
  if (store.value(passwordFileUserKey) !== userId) return
  rmSync(passwordFile, { force: true })
  store.setValue(passwordFileUserKey, undefined)
}

function writeSecret(path: string, text: string): void {
  // An existing file would keep its permissions.
  rmSync(path, { force: true })
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
}
