import type { Right } from '../../src/schemas/define/access.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { Context, EntityHooks } from '../api/entityHooks.ts'
import { entityTable, type Owned, type ResponseRow } from '../entities/entityTable.ts'
import { serversOfService } from '../machines/serversOfService.ts'
import { isAdmin, isOwner, may } from '../person.ts'
import { timestamp, withoutEmpty } from '../wire/apiCall.ts'
import type { Incident, Part } from './incident.ts'
import type { Incidents } from './incidents.ts'

/** The list of incidents: members see those with a part that is theirs, and of these only what is theirs. */
export function incidentHooks(incidents: Pick<Incidents, 'all' | 'revisionOf'>): EntityHooks {
  /** Those of administrators: made once after each change, as there may be thousands. */
  const made = new WeakMap<Incident, { revision: number; row: ResponseRow }>()

  function wholeRow(incident: Incident): ResponseRow {
    const revision = incidents.revisionOf(incident)
    const known = made.get(incident)
    if (known?.revision === revision) return known.row
    const row = wireOf(incident)
    made.set(incident, { revision, row })
    return row
  }

  function rowsFor(context: Context): readonly ResponseRow[] {
    if (isAdmin(context.person)) return incidents.all().map(wholeRow)
    const [isVisible, mayAct] = [partsFor(context), partsFor(context, 'act')]
    return incidents.all().flatMap((incident) => {
      const row = visibleIncident(incident, isVisible, mayAct)
      return row ? [row] : []
    })
  }

  return {
    pagedRows: {
      all: rowsFor,
      filters: {
        state: (row, state) => row.state === state,
        server_id: (row, id) => hasPart(row, ({ server_id }) => String(server_id) === id),
        service_id: (row, id) => hasPart(row, ({ service_id }) => String(service_id) === id),
      },
    },
  }
}

const hasPart = ({ parts }: { parts?: unknown }, matches: (part: Pick<Part, 'server_id' | 'service_id'>) => boolean) =>
  Array.isArray(parts) && parts.some(matches)

/** About settings that only the owner of a server sees: names of DNS records, and the contract. */
const ofOwner: readonly Part['kind'][] = ['ddns', 'quota', 'contract']

/**
 * Which parts somebody may see: their own and those on their servers, and by a role those of its servers and services.
 * The server that reported an outage does not stand for the service, which may be on others as well.
 * @param right what they want to do with them. Default: see them
 */
export function partsFor({ store, person }: Context, right: Right = 'see'): (part: Part) => boolean {
  if (isAdmin(person)) return () => true
  const [servers, services] = [entityTable(store, server), entityTable(store, service)]
  const isOwn = (row: Owned | undefined) => row !== undefined && isOwner(person, row.user_id)
  const known = new Map<number, boolean>()

  function mayOnServer(id: number, rights: readonly Right[]): boolean {
    const row = servers.get(id)
    return row !== undefined && rights.every((one) => may(person, one, row, [id]))
  }

  /** A service may name ten thousand servers, and there may be thousands of its parts. */
  function mayOnService(id: number): boolean {
    const answer = known.get(id)
    if (answer !== undefined) return answer
    const row = services.get(id)
    const isAllowed = row !== undefined && (isOwn(row) || may(person, right, row, serversOfService(row)))
    known.set(id, isAllowed)
    return isAllowed
  }

  return ({ kind, owner_id, server_id, service_id }) => {
    if (isOwner(person, owner_id) || isOwn(servers.get(server_id))) return true
    if (service_id > 0) return mayOnService(service_id)
    return mayOnServer(server_id, ofOwner.includes(kind) ? [right, 'secrets'] : [right])
  }
}

/**
 * What somebody sees of an incident who may see some of its parts; `undefined` for none.
 * @param mayAct whether they may act on a part: it is theirs to acknowledge when they may on all
 */
export function visibleIncident(
  incident: Incident,
  isVisible: (part: Part) => boolean,
  mayAct: (part: Part) => boolean,
): ResponseRow | undefined {
  const parts = incident.parts.filter(isVisible)
  const [first] = parts
  if (!first) return undefined
  const isReadOnly = !incident.parts.every(mayAct) && { read_only: true }
  if (parts.length === incident.parts.length) return { ...wireOf(incident), ...isReadOnly }
  // Title, diary, messages and whoever is on it may be of what others own.
  const known = { ...incident, parts, title: first.name, acknowledged_by: '', entries: [], notices: [] }
  return { ...wireOf(known), ...isReadOnly }
}

const optionalTime = (at: number | null) => (at === null ? undefined : timestamp(at))

function wireOf({ id, title, state, started_at, parts, entries, notices, ...incident }: Incident): ResponseRow {
  const times = {
    acknowledged_at: optionalTime(incident.acknowledged_at),
    acknowledged_by: incident.acknowledged_by,
    resolved_at: optionalTime(incident.resolved_at),
  }
  return {
    id,
    title,
    state,
    started_at: timestamp(started_at),
    ...withoutEmpty(times),
    parts: parts.map(partOnWire),
    entries: entries.map((entry) => ({ ...entry, at: timestamp(entry.at) })),
    notices: notices.map((notice) => ({ ...notice, at: timestamp(notice.at) })),
  }
}

const partOnWire = ({ kind, id, server_id, service_id, rule_id, name, role, ...part }: Part) => ({
  kind,
  id,
  server_id,
  service_id,
  rule_id,
  name,
  started_at: timestamp(part.started_at),
  ...withoutEmpty({ ended_at: optionalTime(part.ended_at), withdrawn: part.withdrawn, paused: part.paused }),
  role,
})
