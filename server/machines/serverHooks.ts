import type { z } from 'zod'
import { formerPrices, formerPricesAfter } from '../../src/domain/contract/formerPrices.ts'
import { rights } from '../../src/schemas/define/access.ts'
import { issueText } from '../../src/schemas/define/issueText.ts'
import { contract } from '../../src/schemas/machines/contract.ts'
import type { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { serverShare } from '../../src/schemas/serverShare.ts'
import { type Context, dropMembers, type EntityHooks } from '../api/entityHooks.ts'
import { ownerRolesIn } from '../auth/teams/teams.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Owned, type ResponseRow, type Row, type ServerRow } from '../entities/entityTable.ts'
import { isAdmin, makerOf, may, mayReach, ownerAsPerson, owns, type Person } from '../person.ts'
import { ApiError, timestamp, withoutEmpty } from '../wire/apiCall.ts'
import { refuseCircle } from './dependencies.ts'
import type { Machines } from './machines.ts'

/** Machines that registered with the global secret have no owner: its id is 0 and it has no name. */
interface Owner {
  id: number
  username?: string
}

/** Monitored machines (docs/contract/CONTRACT.md#54-servers): stored rows, with their last reports. */
export function serverHooks(
  machines: Machines,
  { access, usernameOf }: { access: ServerAccess; usernameOf: (id: number) => string | undefined },
): EntityHooks<typeof server> {
  // Every row of a list needs its owner: each is looked up once per list.
  const owners = new WeakMap<Context, Map<number, Owner>>()

  function ownerOf(id: number, context: Context): Owner {
    const cached = owners.get(context) ?? new Map<number, Owner>()
    owners.set(context, cached)
    const owner = cached.get(id) ?? { id, ...withoutEmpty({ username: usernameOf(id) }) }
    cached.set(id, owner)
    return owner
  }

  return {
    // Real servers check nothing here: unknown DDNS profiles and an empty name are saved.
    validation: 'contract',
    notFoundError: (id) => `server id ${id} does not exist`,
    compare: byDisplayIndex,
    validate(form, { store, person }, row) {
      const given = row && !owns(person, row, [row.id]) ? { ...form, ...keptByRole(row, person) } : form
      if (row) refuseCircle(store, `server ${row.id}`, given)
      return { ...given, contract: given.contract && readContract(given.contract, row) }
    },
    rights: { change: 'configure' },
    // A form has no id, and no servers can be added by one.
    serversOf: (record) => ('id' in record ? [record.id] : []),
    isVisible: (row, { person }) => access.isListed(person, row),
    present(encoded, row, context) {
      const whole = { ...encoded, ...machines.wireReport(row), owner: ownerOf(makerOf(row), context) }
      const { person } = context
      const runsServer = machines.connected(row)?.runsServer && { runs_server: true }
      if (owns(person, row, [row.id])) return { ...whole, ...runsServer }
      const own = rights.filter((right) => may(person, right, row, [row.id]))
      return {
        ...(own.includes('secrets') ? whole : { ...withoutOwnersFields(whole), id: row.id }),
        ...(own.includes('act') && runsServer),
        read_only: true,
        ...(own.length > 0 && { rights: own }),
      }
    },
    // A role or a share for one would still reach it.
    afterGiving: ({ id, user_id }, { store }) => void leaveGroups(store, id, user_id),
    afterDelete(ids, { store }, rows) {
      dropMembers(store, serverGroup, 'servers', ids)
      dropMembers(store, serverShare, 'servers', ids)
      machines.forget(rows)
    },
  }
}

/**
 * What somebody with a role on a server changes nothing of: what leads to records of its owner, as names in the zones of
 * their DDNS profiles, and what they were not shown.
 */
function keptByRole(row: ServerRow, person: Person | undefined): Partial<ServerRow> {
  const { enable_ddns, ddns_profiles, override_ddns_domains, depends_on, depends_on_services, note, contract } = row
  const ofOwner = { enable_ddns, ddns_profiles, override_ddns_domains, depends_on, depends_on_services }
  return may(person, 'secrets', row, [row.id]) ? ofOwner : { ...ofOwner, note, contract }
}

/** Milliseconds by which the clock of a browser may be ahead. */
const clockToleranceMs = 86_400_000

/**
 * The `contract` of a form with its defaults, and with what it cost before.
 * @throws ApiError with one sentence that names the field that is wrong
 */
function readContract(given: unknown, row: ServerRow | undefined): z.output<typeof contract> {
  const { data, error } = readable.safeParse(given)
  if (!data) {
    const [issue] = error.issues as [z.core.$ZodIssue]
    throw new ApiError(issueText({ ...issue, path: ['contract', ...issue.path] }, { contract: given }))
  }
  const now = timestamp()
  const former_prices = formerPricesAfter(data.former_prices, data, row?.contract, now)
  if (former_prices.some(({ until }) => Date.parse(until) > Date.parse(now) + clockToleranceMs))
    throw new ApiError('contract.former_prices: until must not be in the future: save the new price on its day')
  return { ...data, former_prices }
}

/** With former prices as they have to be. */
const readable = contract.extend({ former_prices: formerPrices.optional() })

type Ordered = Pick<ServerRow, 'id' | 'display_index'>

/** The order that operators give by `display_index`, larger first; then by id. */
export const byDisplayIndex = (a: Ordered, b: Ordered) => b.display_index - a.display_index || a.id - b.id

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
