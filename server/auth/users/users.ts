import { randomBytes } from 'node:crypto'
import { roles } from '../../../src/schemas/define/access.ts'
import { user as entity } from '../../../src/schemas/user.ts'
import { recordChanges } from '../../changes/changeLog.ts'
import type { Store } from '../../db/store.ts'
import type { ResidentTable } from '../../db/table.ts'
import { timestamp } from '../../wire/apiCall.ts'

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
