import {
  type EscalationPlace,
  firstPlace,
  placeAfter,
  placeAt,
  stepAt,
} from '../../src/domain/escalation/escalationTimes.ts'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { escalation } from '../../src/schemas/escalation.ts'
import { notification } from '../../src/schemas/notification.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import { rota } from '../../src/schemas/rota.ts'
import { service } from '../../src/schemas/service.ts'
import { ownerRolesIn } from '../auth/teams/teams.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type Owned, type Row } from '../entities/entityTable.ts'
import { type Incident, isOpen, type Part } from '../incidents/incident.ts'
import type { Incidents } from '../incidents/incidents.ts'
import { mayUse } from '../person.ts'
import { readSite } from '../site/site.ts'
import { openContractSetting } from '../traffic/contractNotices.ts'
import { type Duty, zoneOf } from './duty.ts'

type Plan = Row<typeof escalation>
type Step = Plan['steps'][number]

/** Whom a step tells. */
export interface StepReceivers {
  /** Of the notifier group, or of the person on duty. */
  name: string
  /** The notifier group; 0 for a person. */
  group_id: number
  /** Ids of notifiers. */
  notifiers: readonly number[]
}

/** A plan at work for an incident. Milliseconds since 1970. */
interface RunRow {
  id: number
  incident_id: number
  escalation_id: number
  /** Which step comes next, counted over all repetitions. */
  position: number
  /** When; `null` when all steps are done. */
  due_at: number | null
  /** Who was told, each once: they are told when it is over. */
  told: readonly StepReceivers[]
}

/** Escalation plans at work: who is told next of incidents that nobody has acknowledged. */
export interface EscalationRuns {
  /** Starts plans, does what is due, and ends those of incidents that are over. To be called every second. */
  tick(): void
}

interface Services {
  store: Store
  incidents: Pick<Incidents, 'get' | 'unresolved' | 'revisionOf' | 'addEntry' | 'addNotice' | 'onChange' | 'flush'>
  duty: Pick<Duty, 'now'>
  /** Whether records of an owner may do anything. */
  mayAct: (ownerId: number) => boolean
  /**
   * Tells that an incident lasts, or that it is over, as far as the owner of the plan sees it.
   * @returns after the message is on the disk, or is sure to be with the transaction around it
   */
  tell: (receivers: StepReceivers, incident: Incident, told: { kind: 'lasts' | 'over'; ownerId: number }) => void
  /** Milliseconds since 1970. */
  now: () => number
}

export function createEscalationRuns({ store, incidents, duty, mayAct, tell, now }: Services): EscalationRuns {
  const plans = entityTable(store, escalation)
  const groups = entityTable(store, notificationGroup)
  const rules = entityTable(store, alertRule)
  const services = entityTable(store, service)
  const rotas = entityTable(store, rota)
  const notifiers = entityTable(store, notification)
  const roleOf = ownerRolesIn(store)
  const { read: setting } = openContractSetting(store)
  const runs = store.resident<RunRow>({
    name: 'escalation_run',
    columns: [
      { name: 'incident_id', type: 'INTEGER' },
      { name: 'escalation_id', type: 'INTEGER' },
      { name: 'position', type: 'INTEGER' },
      { name: 'due_at', type: 'INTEGER' },
      { name: 'told', type: 'JSON', initial: [] },
    ],
  })
  const runOf = runs.index(({ incident_id, escalation_id }) => `${incident_id} ${escalation_id}`)
  /** Of incidents whose plans were looked for: they may have others after a change. */
  const seen = new WeakMap<Incident, number>()

  incidents.onChange(({ incident, into }) => {
    if (into) store.eventually(() => withIncidents(() => moveRuns(incident.id, into.id)))
  })

  /**
   * Writes together with the incidents, whose changes are in memory: after a kill, one must not be without the other.
   */
  const withIncidents = (write: () => void) =>
    store.transaction(() => {
      incidents.flush()
      write()
    })

  /** An incident has become part of another one: who was told of it is told of the end of that. */
  function moveRuns(from: number, into: number): void {
    for (const run of runs.find({ incident_id: from })) {
      const other = runOf().get(`${into} ${run.escalation_id}`)
      if (!other) runs.update(run.id, { incident_id: into })
      else {
        runs.update(other.id, { told: withReceivers(other.told, run.told) })
        runs.remove([run.id])
      }
    }
  }

  /** The plan that somebody chose for what a part is about, where it may use that. */
  function planOf({ kind, rule_id, service_id }: Part): Plan | undefined {
    if (isOfContract(kind)) return plans.get(setting().escalation_id)
    const service = services.get(service_id)
    const row = kind === 'alarm' ? rules.get(rule_id) : service?.notify || kind === 'certificate' ? service : undefined
    return row && usable(row.user_id, plans.get(row.escalation_id))
  }

  /** What a record of an owner names; `undefined` where it is gone, or others than they have it now. */
  const usable = <R extends Owned>(ownerId: number, named: R | undefined): R | undefined =>
    named && mayUse(ownerId, named, roleOf) ? named : undefined

  function startRuns(incident: Incident): void {
    if (seen.get(incident) === incidents.revisionOf(incident)) return
    seen.set(incident, incidents.revisionOf(incident))
    const causes = incident.parts.filter((part) => part.role === 'cause' && isOpen(part))
    for (const plan of new Set(causes.map(planOf))) {
      if (!plan || runOf().has(`${incident.id} ${plan.id}`)) continue
      const place = firstPlace(plan, now(), zoneOf(plan))
      if (!place) continue
      withIncidents(() => runs.insert({ incident_id: incident.id, escalation_id: plan.id, told: [], ...place }))
    }
  }

  function receiversOf({ notification_group_id, rota_id }: Step, { user_id }: Plan): StepReceivers {
    if (rota_id !== undefined) {
      const named = usable(user_id, rotas.get(rota_id))
      const onDuty = named && duty.now(named.id)
      return { name: onDuty?.name ?? '', group_id: 0, notifiers: onDuty?.notifiers ?? [] }
    }
    const group = usable(user_id, groups.get(notification_group_id ?? 0))
    if (!group) return { name: '', group_id: 0, notifiers: [] }
    const isUsable = (id: number) => usable(group.user_id, notifiers.get(id)) !== undefined
    return { name: group.name, group_id: group.id, notifiers: group.notifications.filter(isUsable) }
  }

  /** The notifier groups that are told of an incident as it begins, with or without a plan. */
  function groupsTold({ parts }: Incident): Set<number> {
    function groupOf({ kind, rule_id, service_id }: Part): number {
      if (kind === 'ddns') return readSite(store).ip_change_notification_group_id
      if (isOfContract(kind)) return setting().notification_group_id
      return (kind === 'alarm' ? rules.get(rule_id) : services.get(service_id))?.notification_group_id ?? 0
    }
    return new Set(parts.filter((part) => part.role === 'cause' && isOpen(part)).map(groupOf))
  }

  /** Does a step. @returns whether there was anybody to tell */
  function doStep(run: RunRow, plan: Plan, step: Step, incident: Incident): boolean {
    const receivers = receiversOf(step, plan)
    const { name, group_id, notifiers } = receivers
    // Their first message says the same, and more.
    const isFirst = run.position === 0 && step.after_min === 0
    if (isFirst && group_id > 0 && groupsTold(incident).has(group_id)) return true
    if (notifiers.length === 0) {
      incidents.addEntry(incident, { kind: 'not_escalated', ...(name && { name }), text: plan.name })
      return false
    }
    tell(receivers, incident, { kind: 'lasts', ownerId: plan.user_id })
    runs.update(run.id, { told: withReceivers(runs.get(run.id)?.told ?? [], [receivers]) })
    incidents.addEntry(incident, { kind: 'escalated', name, text: plan.name })
    incidents.addNotice(incident, {
      kind: 'escalated',
      notification_group_id: group_id,
      notification_group_name: name,
      message: incident.title,
    })
    return true
  }

  /** Does what is due, in one transaction with the message: it is neither lost nor sent twice when the server is killed. */
  function advance(run: RunRow, plan: Plan, incident: Incident): void {
    if (run.due_at === null) return
    const zone = zoneOf(plan)
    let place: EscalationPlace | undefined = placeAt(plan, { ...run, due_at: run.due_at }, now(), zone)
    while (place && place.due_at <= now()) {
      const at = stepAt(plan, place.position)
      const step = at && plan.steps[at.index]
      if (!step) place = undefined
      else {
        const isTold = doStep(run, plan, step, incident)
        const next = placeAfter(plan, place, now(), zone)
        const isSameRound = next && stepAt(plan, next.position)?.round === at.round
        // Where nobody was told, those of the next step need not wait for an answer.
        place = next && !isTold && isSameRound ? { ...next, due_at: now() } : next
      }
    }
    const due_at = place?.due_at ?? null
    const position = place?.position ?? run.position
    if (due_at !== run.due_at || position !== run.position) runs.update(run.id, { position, due_at })
  }

  function end(run: RunRow, incident: Incident | undefined, plan: Plan | undefined): void {
    // Groups that were told of the beginning without the plan are told of the end without it.
    const isToldAnyway = ({ group_id }: StepReceivers) =>
      group_id > 0 &&
      incident?.notices.some(({ kind, notification_group_id: id }) => kind === 'opened' && id === group_id)
    if (incident && plan) {
      for (const one of run.told) {
        if (!isToldAnyway(one)) tell(one, incident, { kind: 'over', ownerId: plan.user_id })
      }
    }
    runs.remove([run.id])
  }

  return {
    tick() {
      for (const incident of incidents.unresolved()) startRuns(incident)
      for (const run of runs.all()) {
        const incident = incidents.get(run.incident_id)
        const plan = plans.get(run.escalation_id)
        if (!incident || incident.state === 'resolved') store.transaction(() => end(run, incident, plan))
        else if (plan && incident.state === 'open' && mayAct(plan.user_id)) {
          if (run.due_at !== null) store.transaction(() => advance(run, plan, incident))
        }
      }
    },
  }
}

const isOfContract = (kind: Part['kind']) => kind === 'quota' || kind === 'contract'

/** All of them, each group and each person once. */
function withReceivers(told: readonly StepReceivers[], more: readonly StepReceivers[]): StepReceivers[] {
  const keyOf = ({ group_id, notifiers }: StepReceivers) => (group_id ? `group ${group_id}` : notifiers.join())
  return [...new Map([...told, ...more].map((receivers) => [keyOf(receivers), receivers])).values()]
}
