import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { contractEndpoints } from '../../src/schemas/endpoints/contractEndpoints.ts'
import { server } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { contractSettings } from '../../src/schemas/settings/contractSettings.ts'
import { repeat } from '../concurrency/repeat.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { addAuditDetails } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import type { Log } from '../log.ts'
import { ownerAsPerson, owns, type Person } from '../person.ts'
import type { Settings } from '../settings.ts'
import { ownTimezone } from '../site/timeZone.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import { createContractIncidents } from './contractIncidents.ts'
import { type ContractNotices, createContractNotices } from './contractNotices.ts'
import { openContractSetting } from './contractSetting.ts'
import { createContractTroubles } from './contractTroubles.ts'
import { costsOf } from './costs.ts'
import { readPeriod } from './trafficPlugin.ts'
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

/** As for messages: windows and mutes of administrators. */
const siteOwner = 0
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
    route(app, 'setContractSetting', setContractSetting, bodyReader(setContractSetting), (request) => {
      app.recordsOf(contractSettings.name).replace?.(request.person, settingId, request.body)
      addAuditDetails(request, { target: 'contracts' })
      reportTroubles(troubles.known())
      return setting()
    })
  },
  { name: 'contracts', dependencies: ['security', 'machines', 'maintenance', 'notifications', 'traffic', 'incidents'] },
)
