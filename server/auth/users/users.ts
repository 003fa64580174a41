import { createHash, randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { passwordBytes, passwordLimits } from '../../../src/schemas/account/password.ts'
import { comparedName, isVisibleName, usernameLength } from '../../../src/schemas/account/username.ts'
import { type RoleAssignment, roles } from '../../../src/schemas/define/access.ts'
import { user as entity } from '../../../src/schemas/user.ts'
import { recordChanges } from '../../changes/changeLog.ts'
import type { Store } from '../../db/store.ts'
import type { ResidentTable } from '../../db/table.ts'
import { ApiError, timestamp } from '../../wire/apiCall.ts'
import { generatePassword, hashPassword } from '../passwords/password.ts'

/** A user as stored. `password` is the hash and never leaves the server. */
export interface User {
  id: number
  created_at: string
  updated_at: string
  username: string
  password: string
  role: number
  /** The secret with which an agent registers machines of this user. */
  agent_secret: string
  /** Signs in by OAuth2 only. */
  reject_password: boolean
  /** An administrator keeps them from signing in. */
  disabled: boolean
  /** The id of the provider of sign-ins whose rules made them an administrator; 0: somebody did. */
  administrator_by: number
  /** The id of the user who made them an administrator, and when (RFC 3339); 0 and '' where that is not known. */
  role_given_by: number
  role_given_at: string
  /** Signs in with the password also where only providers do: an operator has reset it on the machine. */
  readmitted: boolean
  /** RFC 3339: when a session of theirs began or was renewed; '' before the first. */
  last_seen_at: string
  /** Ids of the own notifiers by which they are told while on duty. */
  notifiers: readonly number[]
}

/** 32 characters that need no quoting in a shell. */
export const generateAgentSecret = () => randomBytes(24).toString('base64url')

const recorded = new WeakSet<object>()

/** The users; what is written to them is recorded in the history of changes, and shown to themselves. */
export function usersIn(store: Store): ResidentTable<User> {
  const table = openUsers(store)
  if (!recorded.has(table)) recordChanges(store, entity, table, ({ id }) => id)
  recorded.add(table)
  return table
}

const openUsers = (store: Store) =>
  store.resident<User>({
    name: 'user',
    columns: [
      { name: 'created_at', type: 'TEXT' },
      { name: 'updated_at', type: 'TEXT' },
      { name: 'username', type: 'TEXT', unique: true },
      { name: 'password', type: 'TEXT' },
      { name: 'role', type: 'INTEGER', initial: roles.user },
      { name: 'agent_secret', type: 'TEXT' },
      { name: 'reject_password', type: 'FLAG', initial: false },
      { name: 'disabled', type: 'FLAG', initial: false },
      { name: 'administrator_by', type: 'INTEGER', initial: 0 },
      { name: 'role_given_by', type: 'INTEGER', initial: 0 },
      { name: 'role_given_at', type: 'TEXT', initial: '' },
      { name: 'readmitted', type: 'FLAG', initial: false },
      { name: 'last_seen_at', type: 'TEXT', initial: '' },
      { name: 'notifiers', type: 'JSON', initial: [] },
    ],
  })

/**
 * @param password its hash
 * @param by the id of who gives the role, where somebody does
 * @param now milliseconds since 1970
 * @returns the new id
 */
export function addUser(
  users: ResidentTable<User>,
  {
    username,
    password,
    role,
    by = 0,
    now,
  }: Pick<User, 'username' | 'password' | 'role'> & { by?: number; now: number },
): number {
  const at = timestamp(now)
  return users.insert({
    created_at: at,
    updated_at: at,
    username,
    password,
    role,
    agent_secret: generateAgentSecret(),
    reject_password: false,
    disabled: false,
    administrator_by: 0,
    role_given_by: by,
    role_given_at: by === 0 ? '' : at,
    readmitted: false,
    last_seen_at: '',
    notifiers: [],
  })
}

/** What every new password has to meet, whoever chooses it. @throws ApiError that says what to do */
export function checkNewPassword(password: string): void {
  if (password === '') throw new ApiError("password can't be empty")
  if (password.length < passwordLimits.minLength) {
    throw new ApiError(`the new password is too short: it needs at least ${passwordLimits.minLength} characters`)
  }
  if (passwordBytes(password) > passwordLimits.maxBytes) {
    throw new ApiError(`bcrypt: password length exceeds ${passwordLimits.maxBytes} bytes`)
  }
}

/**
 * What every new name of a user has to meet: with another one nobody could sign in on the form, or it could be taken for
 * somebody else's. @throws ApiError that says what to do
 */
export function checkUsername(name: string): void {
  if (name === '') throw new ApiError("username can't be empty")
  if (name.length < usernameLength.min || name.length > usernameLength.max) {
    throw new ApiError(`the username needs ${usernameLength.min} to ${usernameLength.max} characters`)
  }
  if (name !== name.trim()) throw new ApiError('the username must not begin or end with a space')
  if (!isVisibleName(name)) throw new ApiError('the username has characters that cannot be seen: remove them')
}

/**
 * A name that another one could be taken for is as good as taken: in logs, lists and shares people read names. Users who
 * have such names already keep them, and everybody signs in with the name letter by letter.
 * @param own the user who takes the name
 * @throws ApiError that says what to do
 */
export function checkNoLookAlike(users: ResidentTable<User>, name: string, own?: User): void {
  if (name === own?.username) return
  const compared = comparedName(name)
  const other = users.all().find((user) => user.id !== own?.id && comparedName(user.username) === compared)
  if (other) throw new ApiError(`the username looks like "${other.username}", which somebody has: choose another one`)
}

/** An invitation as stored: of the token only the hash. */
export interface InvitationRow {
  id: number
  hash: string
  role: number
  /** The team that the new account is in; 0 for none. */
  team_id: number
  /** Its further roles. */
  roles: readonly RoleAssignment[]
  /** The id of who made it. */
  created_by: number
  /** Milliseconds since 1970, both. */
  created: number
  expires: number
}

/** Invitations for new accounts: each is accepted once. */
export interface Invitations {
  /** Those that can be accepted, the latest first. */
  open(): InvitationRow[]
  /** @returns the token, which is not kept @throws ApiError when there are too many */
  create(by: number, given: Pick<InvitationRow, 'role' | 'team_id' | 'roles'>): { row: InvitationRow; token: string }
  /** What a token stands for, while it can be accepted. */
  find(token: string): InvitationRow | undefined
  get(id: number): InvitationRow | undefined
  remove(id: number): void
  /** Takes back what these users made. */
  removeBy(userIds: readonly number[]): void
}

/** Milliseconds: seven days. */
const invitationLifetime = 7 * 86_400_000
/** More are no list that somebody looks through. */
const maxOpenInvitations = 100
/** Bytes of a token. */
const invitationTokenLength = 32

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')

/** @param now the clock, in milliseconds since 1970 */
export function createInvitations(
  store: Store,
  users: Pick<ResidentTable<User>, 'get'>,
  now: () => number,
): Invitations {
  const table = store.table<InvitationRow>({
    name: 'invitation',
    columns: [
      { name: 'hash', type: 'TEXT', unique: true },
      { name: 'role', type: 'INTEGER' },
      { name: 'team_id', type: 'INTEGER', initial: 0 },
      { name: 'roles', type: 'JSON', initial: [] },
      { name: 'created_by', type: 'INTEGER' },
      { name: 'created', type: 'INTEGER' },
      { name: 'expires', type: 'INTEGER' },
    ],
  })
  /** Nobody gives what they no longer have: it counts only while who made it is an administrator. */
  const isOpen = ({ expires, created_by }: InvitationRow) => {
    const by = users.get(created_by)
    return expires > now() && by?.role === roles.admin && !by.disabled
  }
  const open = () => table.find({}).filter(isOpen).reverse()

  return {
    open,
    create(created_by, given) {
      if (open().length >= maxOpenInvitations) {
        throw new ApiError(
          `there are ${maxOpenInvitations} open invitations already: take back those that nobody needs first`,
        )
      }
      const token = randomBytes(invitationTokenLength).toString('base64url')
      const values = { ...given, hash: hashOf(token), created_by, created: now(), expires: now() + invitationLifetime }
      return store.transaction(() => {
        table.remove(
          table
            .find({})
            .filter(({ expires }) => expires <= now())
            .map(({ id }) => id),
        )
        return { row: { ...values, id: table.insert(values) }, token }
      })
    },
    find: (token) => table.find({ hash: hashOf(token) }).find(isOpen),
    get: (id) => table.get(id),
    remove: (id) => store.urgently(() => table.remove([id])),
    removeBy: (userIds) =>
      store.urgently(() =>
        table.remove(userIds.flatMap((created_by) => table.find({ created_by }).map(({ id }) => id))),
      ),
  }
}

const firstUsername = 'admin'

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
        const id = addUser(users, { username: firstUsername, password, role: roles.admin, now: Date.now() })
        if (needsFile) store.setValue(passwordFileUserKey, id)
      })
      if (needsFile) {
        return `First start: sign in as "${firstUsername}". The password is in ${passwordFile}, which is deleted at the first sign-in.`
      }
      return adminPassword === undefined
        ? `First start: sign in as "${firstUsername}" with the password ${plainPassword} (it is not shown again).`
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
