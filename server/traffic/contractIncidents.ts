import { contractEnd } from '../../src/domain/contract/contractTimes.ts'
import type { ContractTrouble } from '../../src/schemas/endpoints/contractEndpoints.ts'
import { escalation } from '../../src/schemas/escalation.ts'
import { server } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { ServerRow } from '../entities/row.ts'
import { keyOf, type Trouble } from '../incidents/incident.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { Silences } from '../maintenance/silence.ts'
import { messagesOf } from '../site/messages.ts'
import { aroundEndMs } from './contractTroubles.ts'
import type { CountedTraffic } from './trafficPlugin.ts'

interface Services {
  store: Store
  incidents: Pick<Incidents, 'all' | 'begin' | 'end' | 'find' | 'openParts'>
  silences: Pick<Silences, 'ofServer'>
  traffic: Pick<CountedTraffic, 'inPeriod'>
  /** The escalation plan; 0: there are no such incidents. */
  planId: () => number
  /** Milliseconds since 1970. */
  now: () => number
}

/** Contracts of all people: only windows and mutes of administrators silence them. */
const siteOwner = 0

type Kind = 'quota' | 'contract'

/**
 * Makes incidents of what is wrong with contracts, for as long as it lasts and an escalation plan is named: a plan tells
 * people until somebody is on it, which only an incident knows.
 * @returns a function that takes what is wrong now
 */
export function createContractIncidents(services: Services): (troubles: readonly ContractTrouble[]) => void {
  const { store, incidents, silences, traffic, planId, now } = services
  const servers = entityTable(store, server)
  const plans = entityTable(store, escalation)
  const messages = messagesOf(store)

  function troubleOf(kind: Kind, { id, name, user_id }: ServerRow): Trouble {
    return {
      kind,
      id: 0,
      server_id: id,
      service_id: 0,
      rule_id: 0,
      owner_id: user_id,
      host: '',
      rule_name: '',
      is_gone: false,
      name: messages(kind === 'quota' ? 'quota_used_up' : 'contract_over', { server: name }),
      started_at: now(),
    }
  }

  /** Since when it is the same trouble, in milliseconds since 1970: what was resolved since then stays resolved. */
  function sameSince(kind: Kind, row: ServerRow): number {
    if (kind === 'quota') return Date.parse(traffic.inPeriod(0)(row).from)
    return ((row.contract && contractEnd(row.contract, now())) ?? now()) - aroundEndMs
  }

  /** Whether somebody has resolved it by hand: it cannot recover by itself before its time. */
  function isResolved(trouble: Trouble, since: number): boolean {
    const key = keyOf(trouble)
    return incidents
      .all()
      .some(
        ({ parts, entries }) =>
          parts.some((part) => keyOf(part) === key && (part.ended_at ?? 0) >= since) &&
          entries.some(({ kind, at }) => kind === 'resolved' && at >= since),
      )
  }

  function begin(kind: Kind, row: ServerRow): void {
    const trouble = troubleOf(kind, row)
    if (incidents.find(keyOf(trouble)) || silences.ofServer(row.id, siteOwner)) return
    if (!isResolved(trouble, sameSince(kind, row))) incidents.begin(trouble)
  }

  return (troubles) => {
    const hasPlan = plans.get(planId()) !== undefined
    const lasting = new Set<string>()
    for (const { server_id, percent, ends_at } of hasPlan ? troubles : []) {
      const row = servers.get(server_id)
      if (!row) continue
      const kinds: Kind[] = [
        ...(percent === undefined ? [] : ['quota' as const]),
        ...(ends_at === undefined ? [] : ['contract' as const]),
      ]
      for (const kind of kinds) {
        lasting.add(keyOf(troubleOf(kind, row)))
        begin(kind, row)
      }
    }
    for (const part of incidents.openParts()) {
      const isOver = (part.kind === 'quota' || part.kind === 'contract') && !lasting.has(keyOf(part))
      if (isOver) incidents.end(part, !hasPlan || !servers.get(part.server_id))
    }
  }
}
