import type { Store } from '../db/store.ts'
import type { Silences } from '../maintenance/silence.ts'
import type { Notifications, OutgoingNotification } from '../notifications/notifications.ts'
import { messagesOf } from '../site/messages.ts'
import type { CheckedService } from './checkedServices.ts'
import type { Outages } from './outages.ts'
import type { ServiceRow } from './serviceRow.ts'
import type { StatusChange } from './serviceStatus.ts'
import { type ReportedChange, statusNotification } from './statusNotification.ts'

/** A service is down or up again. */
export interface StatusEvent {
  service: ServiceRow
  change: Extract<StatusChange, { kind: 'down' | 'up' }>
  /** The server whose result has changed the status. */
  seenFrom: string
  /** The only server that checks it; 0 when several do. */
  serverId: number
  /** The outage that lasts; 0 when it could not be saved. */
  outageId: number
}

export interface CertificateEvent {
  service: ServiceRow
  isEnding: boolean
}

/** Tells people and listeners what has become of services. */
export interface StatusNotices {
  /** Calls `listener` when people are told that a service is down, or up again after that. */
  onStatus(listener: (event: StatusEvent) => void): void
  /** Calls `listener` when a certificate of a service runs out soon, and when the service has another one. */
  onCertificate(listener: (event: CertificateEvent) => void): void
  /** @param times in milliseconds since 1970; `downSince` where a service is up again */
  tell(
    checked: CheckedService,
    changes: readonly StatusChange[],
    reporter: ReportedChange['reporter'],
    times: { at: number; downSince?: number },
  ): void
  /** Tells of the outages that last longer than their mute. */
  endSilence(): void
  /** Tells of the outages that last since before the start, should it not be known that people were told. */
  tellLasting(): void
}

interface StatusNoticesServices {
  store: Store
  notifications: Pick<Notifications, 'send'>
  silences?: Pick<Silences, 'ofService'>
  outages: Pick<Outages, 'silenced' | 'markSent' | 'lasting' | 'allLasting'>
  serviceOf: (id: number) => CheckedService | undefined
  /** Milliseconds since 1970. */
  now: () => number
}

export function createStatusNotices(services: StatusNoticesServices): StatusNotices {
  const { store, notifications, silences, outages, serviceOf, now } = services
  const messages = messagesOf(store)
  const statusListeners = new Set<(event: StatusEvent) => void>()
  const certificateListeners = new Set<(event: CertificateEvent) => void>()

  const tell: StatusNotices['tell'] = ({ row, status }, changes, reporter, { at, downSince }) => {
    for (const change of changes) {
      let about: OutgoingNotification['about']
      if (change.kind === 'down' || change.kind === 'up') {
        const serverId = status.servers().all === 1 ? (reporter?.id ?? 0) : 0
        const seenFrom = reporter?.name ?? ''
        const event = { service: row, change, seenFrom, serverId, outageId: outages.lasting(row.id)?.id ?? 0 }
        for (const listener of statusListeners) listener(event)
        about = { ...partOf(row), change: change.kind === 'down' ? 'began' : 'ended' }
      } else if (change.kind === 'certificate ends' || change.kind === 'certificate changed') {
        const isEnding = change.kind === 'certificate ends'
        for (const listener of certificateListeners) listener({ service: row, isEnding })
      }
      const downMs = downSince === undefined ? undefined : at - downSince
      const reported = { service: row, reporter, change, servers: status.servers(), downMs, now: at }
      const notification = statusNotification(reported, messages)
      if (notification) notifications.send({ ...notification, about })
    }
  }

  return {
    onStatus: (listener) => void statusListeners.add(listener),
    onCertificate: (listener) => void certificateListeners.add(listener),
    tell,
    endSilence() {
      for (const [id, { problem, server_name }] of outages.silenced) {
        const checked = serviceOf(id)
        if (!checked || silences?.ofService(id, checked.row.user_id)) continue
        outages.markSent(id)
        tell(checked, [{ kind: 'down', problem }], { name: server_name }, { at: now() })
      }
    },
    tellLasting() {
      for (const { service_id, problem, server_name, silenced } of outages.allLasting()) {
        const checked = serviceOf(service_id)
        if (!checked || silenced) continue
        const { row: service, status } = checked
        const change = { kind: 'down', problem } as const
        const reported = { service, change, reporter: { name: server_name }, servers: status.servers(), now: now() }
        const notification = statusNotification(reported, messages)
        const about = { ...partOf(service), change: 'lasts' } as const
        if (notification) notifications.send({ ...notification, about, repeatKey: undefined })
      }
    },
  }
}

const partOf = ({ id }: ServiceRow) =>
  ({ kind: 'outage', id: 0, server_id: 0, service_id: id, subject: `service ${id}` }) as const
