import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { ddns } from '../../src/schemas/ddns.ts'
import { mute } from '../../src/schemas/mute.ts'
import { server } from '../../src/schemas/server.ts'
import { service } from '../../src/schemas/service.ts'
import type { Alarm } from '../alerts/alarms.ts'
import type { Store } from '../db/store.ts'
import { recordName, type UpdateResult } from '../ddns/updateResults.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import { makerOf } from '../person.ts'
import type { ServiceRow } from '../services/serviceRow.ts'
import { messagesOf } from '../site/messages.ts'
import type { TaskRun } from '../tasks/taskRun.ts'
import { type Incident, isOpen, keyOf, type Part, type Trouble } from './incident.ts'
import type { PartOfIncident } from './incidents.ts'

/** Reports to the incidents what other features notice, and at the start what they noticed before. */
export const incidentSourcesPlugin = fp(
  async (app: FastifyInstance, { store, now }: { store: Store; now: () => number }) => {
    const { incidents, incidentMessages, alerts, services, events } = app
    const profiles = entityTable(store, ddns)
    const servers = entityTable(store, server)
    const serviceTable = entityTable(store, service)
    const messages = messagesOf(store)

    alerts.onAlarm(({ kind, alarm }) => {
      if (kind === 'raised') incidents.begin(ofAlarm(alarm))
      else incidents.end(ofAlarm(alarm), alarm.withdrawn)
    })
    alerts.onPause((alarm) => incidents.pause(ofAlarm(alarm), alarm.paused))
    services.checker.onStatus(({ service, change, serverId, outageId }) => {
      const trouble = ofOutage(service, { outageId, serverId, startedAt: now() })
      if (change.kind === 'down') incidents.begin(trouble)
      else incidents.end(trouble, false)
    })
    services.checker.onCertificate(({ service, isEnding }) => {
      const trouble = { ...ofService(service), kind: 'certificate', started_at: now() } as const
      const name = messages('certificate_of', { service: service.name })
      if (isEnding) incidents.begin({ ...trouble, name })
      else incidents.end(trouble, false)
    })
    events.onPresence((row, isOnline) => {
      if (isOnline) incidents.end(ofServer(row), false)
      else incidents.begin(ofServer(row))
    })
    app.ddns.onTrouble(({ change, result }) => {
      if (change === 'began') incidents.begin(ofRecord(result))
      else incidents.end(ofRecord(result), change === 'withdrawn')
    })

    keepDiary(app, store)

    const none = {
      id: 0,
      server_id: 0,
      service_id: 0,
      rule_id: 0,
      owner_id: 0,
      host: '',
      rule_name: '',
      is_gone: false,
    }

    function ofAlarm({ id, rule_id, server_id, owner_id, rule_name, server_name, causes, started_at }: Alarm): Trouble {
      return {
        ...none,
        kind: 'alarm',
        id,
        server_id,
        rule_id,
        owner_id,
        rule_name,
        name: `${server_name} ${rule_name}`,
        is_gone: causes.length > 0 && causes.every(({ type }) => type === 'offline'),
        started_at,
      }
    }

    const ofService = ({ id, name, user_id, target }: ServiceRow) => ({
      ...none,
      service_id: id,
      owner_id: user_id,
      name,
      host: hostOf(target),
    })

    function ofOutage(
      row: ServiceRow,
      { outageId, serverId, startedAt }: { outageId: number; serverId: number; startedAt: number },
    ): Trouble {
      return { ...ofService(row), kind: 'outage', id: outageId, server_id: serverId, started_at: startedAt }
    }

    const ofServer = ({ id, name, user_id }: ServerRow): Trouble => ({
      ...none,
      kind: 'offline',
      server_id: id,
      owner_id: user_id,
      is_gone: true,
      name: messages('server_offline', { server: name }),
      started_at: now(),
    })

    function ofRecord(result: UpdateResult): Trouble {
      const { profile_id: id, server_id, at } = result
      const record = recordName(result)
      const owner_id = profiles.get(id)?.user_id ?? 0
      const started_at = Date.parse(at)
      return { ...none, kind: 'ddns', id, server_id, record, owner_id, name: `DDNS ${record}`, started_at }
    }

    /** What is about records that are gone, or has ended while this server was off. */
    function endWhatIsOver(): void {
      const running = new Set(alerts.runningAlarms().map((alarm) => keyOf(ofAlarm(alarm))))
      const lasting = new Set(services.checker.lastingOutages().map(({ service_id }) => service_id))
      const wrong = new Set(app.ddns.troubles().map((result) => keyOf(ofRecord(result))))
      for (const part of incidents.openParts()) {
        const isGone =
          (part.service_id > 0 && !serviceTable.get(part.service_id)) ||
          (part.service_id === 0 && part.server_id > 0 && !servers.get(part.server_id))
        const isOver =
          (part.kind === 'alarm' && !running.has(keyOf(part))) ||
          (part.kind === 'ddns' && !wrong.has(keyOf(part))) ||
          (part.kind === 'outage' &&
            (!lasting.has(part.service_id) || serviceTable.get(part.service_id)?.paused === true))
        if (isGone || isOver) incidents.end(part, isGone)
      }
    }

    /** What this server noticed and could not write down before it was killed. */
    function beginWhatLasts(): void {
      const latest = latestParts(incidents.all())
      const begin = (trouble: Trouble) => {
        if (!isResolvedByHand(trouble, latest.get(keyOf(trouble)))) incidents.begin(trouble)
      }
      for (const alarm of alerts.runningAlarms()) {
        if (alarm.silenced === '' && !latest.has(keyOf(ofAlarm(alarm)))) incidents.begin(ofAlarm(alarm))
      }
      for (const outage of services.checker.lastingOutages()) {
        const row = serviceTable.get(outage.service_id)
        if (!row || outage.silenced) continue
        begin(ofOutage(row, { outageId: outage.id, serverId: 0, startedAt: outage.started_at }))
      }
      for (const result of app.ddns.troubles()) begin(ofRecord(result))
    }

    let lastRows: readonly unknown[] = []
    incidents.onTick(() => {
      const rows = [servers.all(), serviceTable.all()]
      if (rows.every((list, index) => list === lastRows[index])) return
      lastRows = rows
      endWhatIsOver()
    })
    app.addHook('onReady', async () => {
      endWhatIsOver()
      beginWhatLasts()
      incidentMessages.start()
    })
  },
  { name: 'incident-sources', dependencies: ['incidents', 'alerts', 'services', 'tasks', 'events', 'ddns'] },
)

/** The latest part of each thing, by its key. */
function latestParts(incidents: readonly Incident[]): ReadonlyMap<string, PartOfIncident> {
  const latest = new Map<string, PartOfIncident>()
  for (const incident of incidents) {
    for (const part of incident.parts) {
      const known = latest.get(keyOf(part))
      if (!known || known.part.started_at <= part.started_at) latest.set(keyOf(part), { incident, part })
    }
  }
  return latest
}

/** Whether somebody has resolved the incident of something that lasts, and it has not begun again since. */
function isResolvedByHand({ kind, started_at }: Trouble, latest: PartOfIncident | undefined): boolean {
  const ended_at = latest?.part.ended_at ?? null
  const byHand = latest?.incident.entries.findLast((entry) => entry.kind === 'resolved')
  if (ended_at === null || !byHand || ended_at < byHand.at) return false
  // Of a DNS record, only the time of its last try is known.
  return kind === 'ddns' || started_at <= ended_at
}

/** The host of a target: of an address, of `host:port`, or the target itself. */
function hostOf(target: string): string {
  if (/^https?:/i.test(target)) return URL.canParse(target) ? new URL(target).hostname : ''
  return target.replace(/:\d+$/, '').toLowerCase()
}

/** Milliseconds: a task that starts so soon after something was over was started by that. */
const afterEndMs = 10_000

/**
 * Writes into the diary of incidents what is done about what they are about: who mutes it, and which tasks ran that
 * somebody or an alarm has started. Those by schedule would run without it.
 */
function keepDiary(
  { incidents, tasks, usernameOf }: Pick<FastifyInstance, 'incidents' | 'tasks' | 'usernameOf'>,
  store: Store,
): void {
  const mutes = entityTable(store, mute)
  const rules = entityTable(store, alertRule)
  const services = entityTable(store, service)
  let lastMutes = mutes.all()

  incidents.onTick(() => {
    const rows = mutes.all()
    if (rows === lastMutes) return
    const known = new Set(lastMutes.map(({ id }) => id))
    lastMutes = rows
    for (const row of rows) {
      if (known.has(row.id)) continue
      for (const incident of [...incidents.unresolved()]) {
        if (!incident.parts.some((part) => isOpen(part) && isMutedBy(part, row))) continue
        incidents.addEntry(incident, { kind: 'muted', name: usernameOf(makerOf(row)) ?? '', text: row.name })
      }
    }
  })

  /** The tasks that it starts when it begins and when it is over. */
  function triggeredBy({ rule_id, service_id }: Part): readonly number[] {
    const row = rules.get(rule_id) ?? services.get(service_id)
    return [...(row?.fail_trigger_tasks ?? []), ...(row?.recover_trigger_tasks ?? [])]
  }

  const isAbout = (part: Part, { server_id, task_id, started_at }: TaskRun) =>
    (part.ended_at ?? started_at) >= started_at - afterEndMs &&
    (part.server_id === server_id || triggeredBy(part).includes(task_id))

  /** Those that were not over when a run began. */
  function* incidentsDuring({ started_at }: TaskRun): Generator<Incident> {
    for (const incident of incidents.all()) {
      if ((incident.resolved_at ?? started_at) < started_at - afterEndMs) return
      yield incident
    }
  }

  tasks.onRunEnd((run, task) => {
    if (run.cause === 'schedule') return
    const kind = run.state === 'succeeded' ? 'task_run' : 'task_failed'
    for (const incident of [...incidentsDuring(run)]) {
      if (!incident.parts.some((part) => isAbout(part, run))) continue
      incidents.addEntry(incident, { kind, text: `${task.name}: ${run.server_name}` })
    }
  })
}

/** @param mute of a server, a rule, a rule on a server, or a service; 0 stands for none */
function isMutedBy(
  { server_id, rule_id, service_id }: Part,
  mute: Pick<Part, 'server_id' | 'rule_id' | 'service_id'>,
): boolean {
  if (mute.service_id > 0) return mute.service_id === service_id
  const isServer = mute.server_id === 0 || mute.server_id === server_id
  return isServer && (mute.rule_id === 0 || mute.rule_id === rule_id)
}
