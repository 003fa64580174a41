import type { Store } from '../../db/store.ts'

/** An own role as stored. */
export interface RoleRow {
  id: number
  name: string
  rights: readonly string[]
}

/** A role of a person as stored. */
export interface AssignmentRow {
  id: number
  user_id: number
  /** The name of a built-in role, or the id of an own one as text. */
  role: string
  is_all: boolean
  server_groups: readonly number[]
  servers: readonly number[]
  /** The id of the provider of sign-ins whose rules gave it; 0: given by hand. */
  provider: number
  /** The id of the user who gave it; 0 where that is not known, or a provider did. */
  given_by: number
  /** RFC 3339; '' for one that is older than this column. */
  given_at: string
}

/** What roles are kept in; whatever is computed of them depends on both, and on the groups of servers. */
export const roleTables = (store: Store) => ({
  roles: store.resident<RoleRow>({
    name: 'role',
    columns: [
      { name: 'name', type: 'TEXT' },
      { name: 'rights', type: 'JSON' },
    ],
  }),
  assignments: store.resident<AssignmentRow>({
    name: 'role_assignment',
    columns: [
      { name: 'user_id', type: 'INTEGER', indexed: true },
      { name: 'role', type: 'TEXT' },
      { name: 'is_all', type: 'FLAG', initial: false },
      { name: 'server_groups', type: 'JSON' },
      { name: 'servers', type: 'JSON' },
      { name: 'provider', type: 'INTEGER', initial: 0 },
      { name: 'given_by', type: 'INTEGER', initial: 0 },
      { name: 'given_at', type: 'TEXT', initial: '' },
    ],
  }),
})
