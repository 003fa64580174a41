import type { z } from 'zod'
import { formerPrices, formerPricesAfter } from '../../src/domain/contract/formerPrices.ts'
import { rights } from '../../src/schemas/define/access.ts'
import { issueText } from '../../src/schemas/define/issueText.ts'
import { contract } from '../../src/schemas/machines/contract.ts'
import type { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { serverShare } from '../../src/schemas/serverShare.ts'
import type { Context, EntityHooks } from '../api/entityHooks.ts'
import { dropMembers } from '../api/memberGroupHooks.ts'
import type { ServerRow } from '../entities/row.ts'
import { makerOf, may, owns, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { timestamp } from '../wire/timestamp.ts'
import { withoutEmpty } from '../wire/withoutEmpty.ts'
import { refuseCircle } from './dependencies.ts'
import type { Machines } from './machines.ts'
import { leaveGroups, type ServerAccess, withoutOwnersFields } from './serverAccess.ts'

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
