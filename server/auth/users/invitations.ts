import { createHash, randomBytes } from 'node:crypto'
import { type RoleAssignment, roles } from '../../../src/schemas/define/access.ts'
import type { Store } from '../../db/store.ts'
import type { ResidentTable } from '../../db/table.ts'
import { ApiError } from '../../wire/apiCall.ts'
import type { User } from './users.ts'

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
const lifetime = 7 * 86_400_000
/** More are no list that somebody looks through. */
const maxOpen = 100
/** Bytes of a token. */
const tokenLength = 32

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
      if (open().length >= maxOpen) {
        throw new ApiError(`there are ${maxOpen} open invitations already: take back those that nobody needs first`)
      }
      const token = randomBytes(tokenLength).toString('base64url')
      const values = { ...given, hash: hashOf(token), created_by, created: now(), expires: now() + lifetime }
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
