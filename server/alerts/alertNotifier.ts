import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Log } from '../log.ts'
import type { Notifications } from '../notifications/notifications.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Alarm, Alarms } from './alarms.ts'
import type { AlertState } from './alertState.ts'
import type { CompiledAlert } from './compileAlert.ts'
import { alarmCauses } from './evaluateAlert.ts'

/** Turns the results of alert rules into alarms, notifications and triggered tasks. */
interface AlertNotifier {
  /** Takes the result of an alert on a server; `flush` acts on it. @param at milliseconds since 1970 */
  handleResult(alert: CompiledAlert, state: AlertState, server: Row, fails: boolean, at: number): void
  /** How many results wait for `flush`. */
  pendingCount(): number
  /** Saves the alarms in one transaction, then sends notifications and triggers tasks. */
  flush(): void
  /** Ends running alarms without a notification, because nothing has recovered. */
  withdrawAlarms(matches: (alarm: Alarm) => boolean, at: number): void
}

export interface AlertNotifierServices {
  store: Store
  alarms: Alarms
  notifications: Pick<Notifications, 'send'>
  trigger: Tasks['trigger']
  /** The address of a server as notifications show it; '' for none. */
  addressOf: (server: Row) => string
  log: Pick<Log, 'error'>
}

export function createAlertNotifier(services: AlertNotifierServices): AlertNotifier {
  const { store, alarms, notifications, trigger, addressOf, log } = services
  const groups = entityTable(store, notificationGroup)
  /** What to save in a transaction, and what to do after it. */
  let pending: { record: () => void; notify: () => void }[] = []

  const hasNotifiers = (groupId: number) => ((groups.get(groupId)?.notifications as unknown[] | null)?.length ?? 0) > 0

  function messageOf(label: string, alert: CompiledAlert, server: Row): string {
    const address = addressOf(server)
    return `[${label}] ${server.name}${address && `(${address})`} ${alert.name}`
  }

  function fire(alert: CompiledAlert, state: AlertState, server: Row, at: number): void {
    let alarm: Alarm | undefined
    pending.push({
      record() {
        alarm = alarms.open({
          rule_id: alert.id,
          owner_id: alert.ownerId,
          rule_version: alert.version,
          rule_name: alert.name,
          server_id: server.id,
          server_name: String(server.name),
          causes: alarmCauses(alert, state),
          started_at: at,
          notified: hasNotifiers(alert.groupId),
        })
      },
      notify: () => alarm && sendIncident(alert, server, alarm),
    })
  }

  function sendIncident(alert: CompiledAlert, server: Row, alarm: Alarm): void {
    const { groupId } = alert
    notifications.send({
      groupId,
      message: messageOf('Incident', alert, server),
      serverId: server.id,
      repeatKey: repeatKeyOf(alarm),
    })
    trigger(alert.failTasks, server, alert.ownerId)
  }

  function recover(alert: CompiledAlert, server: Row, alarm: Alarm, at: number): void {
    pending.push({
      record: () => alarms.close(alarm, at, false),
      notify() {
        const { groupId } = alert
        const message = messageOf('Resolved', alert, server)
        notifications.send({ groupId, message, serverId: server.id, resolvesKey: repeatKeyOf(alarm) })
        trigger(alert.recoverTasks, server, alert.ownerId)
      },
    })
  }

  function flush(): void {
    const batch = pending
    if (batch.length === 0) return
    pending = []
    try {
      store.transaction(() => {
        for (const { record } of batch) record()
      })
    } catch (error) {
      log.error('Alarms could not be saved:', error)
    }
    for (const { notify } of batch) notify()
  }

  return {
    flush,
    pendingCount: () => pending.length,
    handleResult(alert, state, server, fails, at) {
      const running = alarms.runningOf(alert.id, server.id)
      if (!fails && running) recover(alert, server, running, at)
      if (!fails) return
      if (!running) fire(alert, state, server, at)
      else if (!alert.notifiesOnce) pending.push({ record() {}, notify: () => sendIncident(alert, server, running) })
    },
    withdrawAlarms(matches, at) {
      for (const alarm of [...alarms.running()].filter(matches)) {
        pending.push({ record: () => alarms.close(alarm, at, true), notify() {} })
      }
      flush()
    },
  }
}

/** One key for each alarm: the first notification of a new alarm is sent immediately. */
const repeatKeyOf = ({ id }: Alarm) => `alarm ${id}`
