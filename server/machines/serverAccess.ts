import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { serverShare } from '../../src/schemas/serverShare.ts'
import { dropMembers } from '../api/memberGroupHooks.ts'
import { ownerRolesIn } from '../auth/teams/teams.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Owned, ResponseRow, Row, ServerRow } from '../entities/row.ts'
import { isAdmin, may, mayReach, ownerAsPerson, type Person } from '../person.ts'

/** Who sees which servers. To change one or to work on it takes more: `may`. */
export interface ServerAccess {
  /** Whether the list of servers shows it: to its owner, to administrators, by a role, and to those it is shared with. */
  isListed(person: Person | undefined, row: Owned): boolean
  /** Whether a group is shown to a signed-in person. */
  isGroupListed(person: Person, row: GroupRow): boolean
  /** Whether its name, state and metrics are shown: listed servers, and those that are not hidden from guests. */
  canSee(person: Person | undefined, row: Owned & Pick<ServerRow, 'hide_for_guest'>): boolean
}

type GroupRow = Row<typeof serverGroup>

interface Shared {
  servers: ReadonlySet<number>
  groups: ReadonlySet<number>
}

const nothing: Shared = { servers: new Set(), groups: new Set() }

export function createServerAccess(store: Store): ServerAccess {
  const shares = entityTable(store, serverShare)
  const groups = entityTable(store, serverGroup)
  let sharesRead: readonly Row<typeof serverShare>[] | undefined
  let groupsRead: readonly GroupRow[] | undefined
  const byUser = new Map<number, Shared>()

  /** Every row of a list and of a live frame asks, so it is computed once until something changes. */
  function sharedWith(userId: number): Shared {
    const [shareRows, groupRows] = [shares.all(), groups.all()]
    if (shareRows.length === 0) return nothing
    if (sharesRead !== shareRows || groupsRead !== groupRows) {
      byUser.clear()
      sharesRead = shareRows
      groupsRead = groupRows
    }
    const cached = byUser.get(userId)
    if (cached) return cached
    const own = shareRows.filter(({ users }) => users.includes(userId))
    const groupIds = new Set(own.flatMap(({ server_groups }) => server_groups))
    const members = [...groupIds].flatMap((id) => groups.get(id)?.servers ?? [])
    const shared = {
      servers: new Set([...own.flatMap(({ servers }) => servers), ...members]),
      groups: groupIds,
    }
    byUser.set(userId, shared)
    return shared
  }

  const isListed = (person: Person | undefined, row: Owned) =>
    mayReach(person, [row.id]) &&
    (may(person, 'see', row, [row.id]) || (person !== undefined && sharedWith(person.id).servers.has(row.id)))

  return {
    isListed,
    isGroupListed: (person, row) =>
      mayReach(person, row.servers) &&
      (may(person, 'see', row, row.servers) || sharedWith(person.id).groups.has(row.id)),
    canSee: (person, row) => (!row.hide_for_guest && mayReach(person, [row.id])) || isListed(person, row),
  }
}

/**
 * Takes a server that has another owner now out of the groups of others: a role or a share for one would still reach it.
 * To be called in a transaction.
 * @param owner as `user_id` of records @param roleOf an owner's role @returns which groups
 */
export function leaveGroups(store: Store, id: number, owner: number, roleOf = ownerRolesIn(store)): number[] {
  return dropMembers(store, serverGroup, 'servers', [id], ({ user_id }) => {
    return user_id !== owner && !isAdmin(ownerAsPerson(user_id, roleOf))
  })
}

/**
 * What a server's row shows to those it is shared with: neither notes, price, ids of what else there is, nor anything
 * that only its owner needs.
 */
export function withoutOwnersFields(row: ResponseRow): ResponseRow {
  const {
    note,
    contract,
    uuid,
    duplicate_uuid,
    left_out,
    enable_ddns,
    ddns_profiles,
    override_ddns_domains,
    depends_on,
    depends_on_services,
    ...shown
  } = row
  return shown
}
