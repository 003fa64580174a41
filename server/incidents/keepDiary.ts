import type { FastifyInstance } from 'fastify'
import { alertRule } from '../../src/schemas/alertRule.ts'
import { mute } from '../../src/schemas/mute.ts'
import { service } from '../../src/schemas/service.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import { makerOf } from '../person.ts'
import type { TaskRun } from '../tasks/taskRun.ts'
import { type Incident, isOpen, type Part } from './incident.ts'

/** Milliseconds: a task that starts so soon after something was over was started by that. */
const afterEndMs = 10_000

/**
 * Writes into the diary of incidents what is done about what they are about: who mutes it, and which tasks ran that
 * somebody or an alarm has started. Those by schedule would run without it.
 */
export function keepDiary(
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
