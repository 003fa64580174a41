import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { contractEnd } from '../../src/domain/contract/contractTimes.ts'
import { type ContractTrouble, contractEndpoints } from '../../src/schemas/endpoints/contractEndpoints.ts'
import { escalation } from '../../src/schemas/escalation.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { contractSettings } from '../../src/schemas/settings/contractSettings.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import { keyOf, type Trouble } from '../incidents/incident.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { Log } from '../log.ts'
import { type Silences, siteOwner } from '../maintenance/silence.ts'
import { ownerAsPerson, owns, type Person } from '../person.ts'
import type { Settings } from '../settings.ts'
import { messagesOf } from '../site/messages.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError, bodyReader } from '../wire/apiCall.ts'
import {
  aroundEndMs,
  type ContractNotices,
  createContractNotices,
  createContractTroubles,
  openContractSetting,
} from './contractNotices.ts'
import { costsOf } from './costs.ts'
import { type CountedTraffic, readPeriod } from './trafficPlugin.ts'
import { createTrafficReport, type TrafficReport } from './trafficReport.ts'

declare module 'fastify' {
  interface FastifyInstance {
    contractNotices: ContractNotices
    /** How many lines of trouble there are about contracts of servers that a person owns. */
    countContractTroubles(person: Person | undefined): number
    trafficReport: TrafficReport
  }
}

interface ContractsOptions {
  store: Store
  log: Pick<Log, 'error'>
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Milliseconds: traffic is looked at in hours. */
const checkMs = 300_000

/** What contracts cost, and what a notifier group is told of them. */
export const contractsPlugin = fp(
  async (app: FastifyInstance, { store, log, settings: { publicUrl }, now }: ContractsOptions) => {
    const { traffic, notifications, silences, serverAccess, incidents } = app
    const servers = entityTable(store, server)
    const groups = entityTable(store, serverGroup)
    const { read: setting, id: settingId } = openContractSetting(store)
    const notices = createContractNotices({
      store,
      groupId: () => setting().notification_group_id,
      traffic,
      silences,
      notifications,
      publicUrl,
      now,
      zone: ownTimezone,
    })
    const report = createTrafficReport({
      store,
      setting,
      traffic,
      // The report is of the site, which sees everything.
      costs: () =>
        costsFor(
          ownerAsPerson(0, () => undefined),
          0,
        ),
      notifications,
      publicUrl,
      now,
      zone: ownTimezone,
    })
    const troubles = createContractTroubles({ store, traffic, now })
    const reportTroubles = createContractIncidents({
      store,
      incidents,
      silences,
      traffic,
      planId: () => setting().escalation_id,
      now,
    })
    const isOwn = (person: Person | undefined, id: number) => {
      const row = servers.get(id)
      return row !== undefined && owns(person, row, [id])
    }
    app.decorate('countContractTroubles', (person) => {
      const shown = troubles.known().filter(({ server_id: id }) => {
        // What was found may be some minutes old.
        const hasContract = servers.get(id)?.contract
        return hasContract && isOwn(person, id) && !silences.ofServer(id, siteOwner)
      })
      return shown.reduce((sum, { percent, ends_at }) => sum + (percent ? 1 : 0) + (ends_at ? 1 : 0), 0)
    })
    app.decorate('contractNotices', notices)
    app.decorate('trafficReport', report)

    const lookForTrouble = async () => reportTroubles(await troubles.find())
    const troubleFailure = 'Trouble of contracts could not be looked for:'
    const checks = [
      repeat(notices.check, { intervalMs: checkMs, log, failure: 'Contracts could not be looked at:' }),
      repeat(lookForTrouble, { intervalMs: checkMs, log, failure: troubleFailure }),
      repeat(report.check, { intervalMs: checkMs, log, failure: 'The report on traffic could not be sent:' }),
    ]
    const stopForget = app.machines.onForget((deleted) => notices.forget(deleted.map(({ row }) => row.id)))
    app.addHook('onListen', async () => {
      lookForTrouble().catch((error) => log.error(troubleFailure, error))
      for (const check of checks) check.start()
    })
    app.addHook('onClose', async () => {
      stopForget()
      for (const check of checks) check.stop()
    })

    const costsFor = (person: Person, index: number) =>
      costsOf({
        servers: servers.all().filter((row) => owns(person, row, [row.id])),
        groups: groups.all().filter((row) => serverAccess.isGroupListed(person, row)),
        trafficOf: traffic.inPeriod(index),
        isPast: index > 0,
        setting: setting(),
        now: now(),
      })

    route(app, 'costs', contractEndpoints.costs, ({ person, query }) => {
      if (!person) throw new ApiError('unauthorized')
      const index = readPeriod(query.period)
      return traffic.inPlace(person, () => costsFor(person, index))
    })
    route(app, 'contractTroubles', contractEndpoints.contractTroubles, async ({ person }) =>
      (await troubles.find()).filter(({ server_id }) => isOwn(person, server_id)),
    )
    route(app, 'contractSetting', contractEndpoints.contractSetting, setting)
    const { setContractSetting } = contractEndpoints
    route(
      app,
      { name: 'setContractSetting', audit: 'setting.update' },
      setContractSetting,
      bodyReader(setContractSetting),
      (request) => {
        app.recordsOf(contractSettings.name).replace?.(request.person, settingId, request.body)
        addAuditDetails(request, { target: 'contracts' })
        reportTroubles(troubles.known())
        return setting()
      },
    )
  },
  { name: 'contracts', dependencies: ['security', 'machines', 'maintenance', 'notifications', 'traffic', 'incidents'] },
)

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

type Kind = 'quota' | 'contract'

/**
 * Makes incidents of what is wrong with contracts, for as long as it lasts and an escalation plan is named: a plan tells
 * people until somebody is on it, which only an incident knows.
 * @returns a function that takes what is wrong now
 */
function createContractIncidents(services: Services): (troubles: readonly ContractTrouble[]) => void {
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
