import type { Locale } from '../../i18n/locales.ts'
import type { AlertState } from '../../src/domain/alerts/alertState.ts'
import type { CompiledAlert } from '../../src/domain/alerts/compileAlert.ts'
import { alarmCauses } from '../../src/domain/alerts/evaluateAlert.ts'
import type { AlarmCause } from '../../src/schemas/alerts/alarmCause.ts'
import { type AlertRuleType, alertRuleTypes } from '../../src/schemas/alerts/alertRuleTypes.ts'
import { sampleSeconds } from '../../src/schemas/alerts/ruleLimits.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import { server as serverEntity } from '../../src/schemas/server.ts'
import type { Store } from '../db/store.ts'
import { entityTable, type ServerRow } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Silences } from '../maintenance/silence.ts'
import type { Notifications } from '../notifications/notifications.ts'
import { alarmMessage, formatBytes } from '../notifications/serverText.ts'
import { consoleLink, formatNumber, type Messages, messagesOf, spanText } from '../site/messages.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { readTexts } from '../texts.ts'
import type { Alarm, Alarms } from './alarms.ts'

/** Turns the results of alert rules into alarms, notifications and triggered tasks. */
interface AlertNotifier {
  /** Takes the result of an alert on a server; `flush` acts on it. @param at milliseconds since 1970 */
  handleResult(alert: CompiledAlert, state: AlertState, server: ServerRow, fails: boolean, at: number): void
  /** How many results wait for `flush`. */
  pendingCount(): number
  /** Saves the alarms in one transaction, then sends notifications and triggers tasks. */
  flush(): void
  /**
   * Does what was left undone while alarms were silent, for those that are still running: people are told, and tasks are
   * triggered. To be called at every check. @param alertOf an alert by its id
   */
  endSilence(alertOf: (id: number) => CompiledAlert | undefined): void
  /** Pauses running alarms of which nothing is measured now, and lets the others go on. To be called at every check. */
  pause(isPaused: (alarm: Alarm) => boolean): void
  /** Tells of the running alarms, should it not be known that people were told. To be called once after the start. */
  tellRunning(alertOf: (id: number) => CompiledAlert | undefined): void
  /** Ends running alarms without a notification, because nothing has recovered. */
  withdrawAlarms(matches: (alarm: Alarm) => boolean, at: number): void
}

export interface AlertNotifierServices {
  store: Store
  alarms: Alarms
  notifications: Pick<Notifications, 'send'>
  trigger: Tasks['trigger']
  /** The address of a server as notifications show it; '' for none. */
  addressOf: (server: ServerRow) => string
  /** Why an alarm is silent now. Default: none is. */
  silenceOf?: Silences['ofAlarm']
  /** The address people use: each incident ends with the one where it is muted. Without it, there is no link. */
  publicUrl?: URL
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now?: () => number
  /** Called when an alarm begins, silent or not. Default: nothing is done. */
  onBegin?: (alarm: Alarm) => void
  /** Called once when people are told of an alarm, and once when it is over after that. Default: nothing is done. */
  onAlarm?: (event: AlarmEvent) => void
  /** Called when an alarm of which people were told is paused, or goes on. Default: nothing is done. */
  onPause?: (alarm: Alarm) => void
}

/** What became of an alarm. `resolved`: it has recovered, or was withdrawn. */
export interface AlarmEvent {
  kind: 'raised' | 'resolved'
  alarm: Alarm
}

export function createAlertNotifier(services: AlertNotifierServices): AlertNotifier {
  const { store, alarms, notifications, trigger, addressOf, publicUrl, log, now = Date.now } = services
  const { silenceOf = () => undefined, onBegin = () => {}, onAlarm = () => {}, onPause = () => {} } = services
  const servers = entityTable(store, serverEntity)
  const groups = entityTable(store, notificationGroup)
  const messages = messagesOf(store)
  /** What to save in a transaction, and what to do after it. */
  let pending: { record: () => void; notify: () => void }[] = []

  const hasNotifiers = (groupId: number) => (groups.get(groupId)?.notifications.length ?? 0) > 0

  const messageOf = (key: 'alarm_began' | 'alarm_ended', alert: CompiledAlert, server: ServerRow): string =>
    alarmMessage(messages, { key, server, address: addressOf(server), rule: alert.name })

  /** On a line of its own, below everything else: messengers make a link of it. */
  const muteLink = (alert: CompiledAlert, server: ServerRow) =>
    consoleLink(publicUrl, `server/${server.id}/mute?rule=${alert.id}`)

  /** For how many seconds it is so by now; 0 where that is not known. */
  const secondsOf = (alert: CompiledAlert, { started_at }: Alarm) => {
    const seconds = failingSeconds(alert)
    return seconds && seconds + Math.max(0, now() - started_at) / 1000
  }

  const silenceNow = (alert: CompiledAlert, server: ServerRow) =>
    silenceOf({ server_id: server.id, rule_id: alert.id }, alert.ownerId)

  function fire(alert: CompiledAlert, state: AlertState, server: ServerRow, at: number): void {
    let alarm: Alarm | undefined
    const silence = silenceNow(alert, server)
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
          notified: !silence && hasNotifiers(alert.groupId),
          silenced: silence ?? '',
        })
      },
      notify() {
        if (!alarm) return
        onBegin(alarm)
        if (!silence) {
          onAlarm({ kind: 'raised', alarm })
          tell('began', alert, server, alarm)
        }
        // A machine that somebody works on must not be repaired meanwhile.
        if (silence !== 'maintenance') trigger(alert.failTasks, server, alert.ownerId)
      },
    })
  }

  const tell = (change: 'began' | 'lasts', alert: CompiledAlert, server: ServerRow, alarm: Alarm) =>
    notifications.send({
      about: { ...partOf(alarm), change },
      groupId: alert.groupId,
      ownerId: alert.ownerId,
      message: withLines(
        messageOf('alarm_began', alert, server),
        ...causeLines(messages, alarm.causes, secondsOf(alert, alarm)),
        muteLink(alert, server),
      ),
      serverId: server.id,
      ...(change === 'began' || !alert.notifiesOnce ? { repeatKey: repeatKeyOf(alarm) } : {}),
    })

  function recover(alert: CompiledAlert, server: ServerRow, alarm: Alarm, at: number): void {
    pending.push({
      record: () => alarms.close(alarm, at, false),
      notify() {
        const { groupId, ownerId } = alert
        const time = spanText(at - alarm.started_at, messages.locale())
        const message = withLines(messageOf('alarm_ended', alert, server), messages('lasted', { time }))
        // People who were told that it began are told that it is over, also within a window or a mute.
        const isSent = alarm.silenced === ''
        if (isSent) {
          onAlarm({ kind: 'resolved', alarm })
          const about = { ...partOf(alarm), change: 'ended' } as const
          notifications.send({ about, groupId, ownerId, message, serverId: server.id, resolvesKey: repeatKeyOf(alarm) })
        }
        if (alarm.silenced !== 'maintenance') trigger(alert.recoverTasks, server, alert.ownerId)
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
      // Only people are told again: tasks that ran when it began would run every three seconds otherwise.
      else if (!alert.notifiesOnce && running.silenced === '' && !silenceNow(alert, server)) {
        pending.push({ record() {}, notify: () => tell('lasts', alert, server, running) })
      }
    },
    endSilence(alertOf) {
      for (const alarm of alarms.running()) {
        if (alarm.silenced === '') continue
        const [alert, server] = [alertOf(alarm.rule_id), servers.get(alarm.server_id)]
        const silence = alert && server && silenceNow(alert, server)
        if (!alert || !server || silence === 'maintenance' || silence === alarm.silenced) continue
        const heldTasks = alarm.silenced === 'maintenance' ? alert.failTasks : []
        const values = { silenced: silence ?? '', notified: !silence && hasNotifiers(alert.groupId) } as const
        pending.push({
          record: () => alarms.setNotified(alarm, values),
          notify() {
            if (!silence) {
              onAlarm({ kind: 'raised', alarm })
              tell('began', alert, server, alarm)
            }
            trigger(heldTasks, server, alert.ownerId)
          },
        })
      }
      flush()
    },
    pause(isPaused) {
      for (const alarm of alarms.running()) {
        const paused = isPaused(alarm)
        if (paused === alarm.paused) continue
        pending.push({
          record: () => alarms.setPaused(alarm, paused),
          notify: () => alarm.silenced === '' && onPause(alarm),
        })
      }
      flush()
    },
    tellRunning(alertOf) {
      for (const alarm of alarms.running()) {
        const [alert, server] = [alertOf(alarm.rule_id), servers.get(alarm.server_id)]
        if (alert && server && alarm.silenced === '') tell('lasts', alert, server, alarm)
      }
    },
    withdrawAlarms(matches, at) {
      for (const alarm of [...alarms.running()].filter(matches)) {
        pending.push({
          record: () => alarms.close(alarm, at, true),
          notify: () => alarm.silenced === '' && onAlarm({ kind: 'resolved', alarm }),
        })
      }
      flush()
    },
  }
}

const partOf = ({ id, server_id, rule_id }: Alarm) => {
  const subject = `rule ${rule_id} on server ${server_id}`
  return { kind: 'alarm', id, server_id, service_id: 0, subject } as const
}

/** One key for each alarm: the first notification of a new alarm is sent immediately. */
const repeatKeyOf = ({ id }: Alarm) => `alarm ${id}`

const withLines = (...lines: readonly string[]) => lines.filter(Boolean).join('\n')

const ruleTexts = readTexts('alert-rule')

/**
 * What was measured, for people: 'CPU use 97.5% (limit 90%) for 6 min', one line for each rule that failed. Rules without
 * a value have a line where it is known what they are about; those about offline servers have none.
 * @param seconds how long it had been so when the alarm began; 0 where that is not known, as for the traffic of a cycle
 */
function causeLines(messages: Messages, causes: readonly AlarmCause[], seconds: number): string[] {
  return causes.flatMap((cause) => {
    const { value, detail } = cause
    if (value === undefined) return detail ? [`${metricName(messages, cause.type)}: ${detail}`] : []
    const bound = boundOf(cause)
    const format = (number: number) => valueText(number, alertRuleTypes[cause.type]?.unit, messages.locale())
    const values = {
      what: metricName(messages, cause.type),
      value: format(value),
      limit: bound === undefined ? '–' : format(bound),
      time: spanText(seconds * 1000, messages.locale()),
    }
    const line = messages(seconds > 0 ? 'alarm_value_for' : 'alarm_value', values)
    return [detail ? `${line}: ${detail}` : line]
  })
}

/** The bound that a value is beyond. */
const boundOf = ({ value = 0, min, max }: AlarmCause) => (max !== undefined && value > max ? max : (min ?? max))

function metricName(messages: Messages, type: string): string {
  const names: Readonly<Record<string, string>> = ruleTexts[messages.locale()].resources['alert-rule'].values
  return Object.hasOwn(alertRuleTypes, type) ? (names[`type_${type}`] ?? type) : type
}

/** For how many seconds all rules of an alert had failed when it fired. */
const failingSeconds = ({ rules }: CompiledAlert): number =>
  rules.reduce((longest, rule) => (rule.kind === 'cycle' ? longest : Math.max(longest, rule.sampleCount)), 0) *
  sampleSeconds

function valueText(value: number, unit: AlertRuleType['unit'] | undefined, locale: Locale): string {
  switch (unit) {
    case 'percent':
      return formatNumber(value / 100, 'percent', locale)
    case 'bytes':
      return formatBytes(value)
    case 'bytes_per_second':
      return `${formatBytes(value)}/s`
    case 'days':
      return formatNumber(Math.round(value * 10) / 10, 'day', locale)
    case 'celsius':
      return `${formatNumber(value, 'oneDecimal', locale)} °C`
    default:
      return formatNumber(value, 'twoDecimals', locale)
  }
}
