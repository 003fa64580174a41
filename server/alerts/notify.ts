import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import type { Log } from '../log.ts'
import type { Alarm, Alarms } from './alarms.ts'
import type { AlertServices } from './alerts.ts'
import type { Alert } from './compileRules.ts'
import { causesOf, type Pair } from './serverRules.ts'

/** Turns verdicts into alarms, notices and tasks. */
interface Herald {
  /** Takes a verdict; it is told with the next `tell()`. @param at milliseconds since 1970 */
  take(alert: Alert, pair: Pair, server: Row, fails: boolean, at: number): void
  /** How many verdicts wait to be told. */
  waiting(): number
  /** Writes down what was taken, and tells those who are to know. */
  tell(): void
  /** Ends running alarms without a word: nobody has recovered. */
  withdraw(isOver: (alarm: Alarm) => boolean, at: number): void
}

interface Services extends Pick<AlertServices, 'notices' | 'trigger' | 'addressOf'> {
  store: Store
  alarms: Alarms
  log: Pick<Log, 'error'>
}

export function createHerald({ store, alarms, notices, trigger, addressOf, log }: Services): Herald {
  const groups = entityTable(store, notificationGroup)
  /** What is to be done in a transaction, and what follows when it is. */
  let news: { write: () => void; follow: () => void }[] = []

  const hasListeners = (groupId: number) => ((groups.get(groupId)?.notifications as unknown[] | null)?.length ?? 0) > 0

  function say(what: string, alert: Alert, server: Row): string {
    const address = addressOf(server)
    return `[${what}] ${server.name}${address && `(${address})`} ${alert.name}`
  }

  function fire(alert: Alert, pair: Pair, server: Row, at: number): void {
    let alarm: Alarm | undefined
    news.push({
      write() {
        alarm = alarms.open({
          rule_id: alert.id,
          owner_id: alert.ownerId,
          rule_version: alert.version,
          rule_name: alert.name,
          server_id: server.id,
          server_name: String(server.name),
          causes: causesOf(alert, pair),
          started_at: at,
          notified: hasListeners(alert.groupId),
        })
      },
      follow: () => alarm && tellIncident(alert, server, alarm),
    })
  }

  function tellIncident(alert: Alert, server: Row, alarm: Alarm): void {
    const { groupId } = alert
    notices.send({ groupId, message: say('Incident', alert, server), serverId: server.id, muteKey: muteKeyOf(alarm) })
    trigger(alert.failTasks, server, alert.ownerId)
  }

  function recover(alert: Alert, server: Row, alarm: Alarm, at: number): void {
    news.push({
      write: () => alarms.close(alarm, at, false),
      follow() {
        const { groupId } = alert
        const message = say('Resolved', alert, server)
        notices.send({ groupId, message, serverId: server.id, unmutes: muteKeyOf(alarm) })
        trigger(alert.recoverTasks, server, alert.ownerId)
      },
    })
  }

  function tell(): void {
    const told = news
    if (told.length === 0) return
    news = []
    try {
      store.transaction(() => {
        for (const { write } of told) write()
      })
    } catch (error) {
      log.error('Alarms could not be written down:', error)
    }
    for (const { follow } of told) follow()
  }

  return {
    tell,
    waiting: () => news.length,
    take(alert, pair, server, fails, at) {
      const running = alarms.runningOf(alert.id, server.id)
      if (!fails && running) recover(alert, server, running, at)
      if (!fails) return
      if (!running) fire(alert, pair, server, at)
      else if (!alert.isOnce) news.push({ write() {}, follow: () => tellIncident(alert, server, running) })
    },
    withdraw(isOver, at) {
      for (const alarm of [...alarms.running()].filter(isOver)) {
        news.push({ write: () => alarms.close(alarm, at, true), follow() {} })
      }
      tell()
    },
  }
}

/** A new alarm is a new trouble: its first notice is sent at once. */
const muteKeyOf = ({ id }: Alarm) => `alarm ${id}`
