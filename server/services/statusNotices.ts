import type { Store } from '../db/store.ts'
import type { Silences } from '../maintenance/silence.ts'
import type { Notifications, OutgoingNotification } from '../notifications/notifications.ts'
import { type Messages, messagesOf, spanText } from '../site/messages.ts'
import type { CheckedService } from './checkedServices.ts'
import type { Outages } from './outages.ts'
import type { ServiceRow } from './serviceRow.ts'
import type { StatusChange } from './serviceStatus.ts'

/** A service is down or up again. */
interface StatusEvent {
  service: ServiceRow
  change: Extract<StatusChange, { kind: 'down' | 'up' }>
  /** The server whose result has changed the status. */
  seenFrom: string
  /** The only server that checks it; 0 when several do. */
  serverId: number
  /** The outage that lasts; 0 when it could not be saved. */
  outageId: number
}

interface CertificateEvent {
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

interface ReportedChange {
  service: ServiceRow
  change: StatusChange
  /** The server whose result has changed the status; `undefined` where this server has looked itself. */
  reporter: { id?: number; name: string } | undefined
  /** How many servers check the service, and on how many of them it is down. */
  servers: { down: number; all: number }
  /** How long the service was down, in milliseconds, when it is up again. */
  downMs?: number
  /** Milliseconds since 1970. */
  now: number
}

/**
 * The notification about a change of a service's status, in the words of `messages`; `undefined` where the service has it
 * switched off.
 */
function statusNotification(reported: ReportedChange, messages: Messages): OutgoingNotification | undefined {
  const { service, change, reporter, servers, downMs, now } = reported
  const isEnabled =
    change.kind === 'slow'
      ? service.latency_notify
      : change.kind === 'degraded'
        ? service.degraded_notify
        : service.notify
  if (!isEnabled || service.notification_group_id === 0) return undefined
  const texts = textsOf(service, change, { now, messages })
  const isOfMany = (change.kind === 'up' || change.kind === 'down' || change.kind === 'degraded') && servers.all > 1
  const message = messages(isOfMany ? 'seen_from_of' : 'seen_from', {
    message: texts.message,
    server: reporter?.name ?? messages('this_console'),
    down: servers.down,
    all: servers.all,
  })
  const time = downMs === undefined ? '' : spanText(downMs, messages.locale())
  return {
    groupId: service.notification_group_id,
    ownerId: service.user_id,
    serverId: reporter?.id,
    serviceId: service.id,
    ...texts,
    message: time ? `${message}\n${messages('lasted', { time })}` : message,
  }
}

type NotificationTexts = Pick<OutgoingNotification, 'message' | 'repeatKey' | 'resolvesKey'>

function textsOf(
  { id, name: service, min_latency, max_latency }: ServiceRow,
  change: StatusChange,
  { now, messages }: { now: number; messages: Messages },
): NotificationTexts {
  const key = `service ${id}`
  switch (change.kind) {
    case 'down': {
      const problem = change.problem || messages('no_answer')
      return { message: messages('service_down', { service, problem }), repeatKey: `${key} down` }
    }
    case 'degraded': {
      const repeatKey = `${key} degraded`
      if (!change.isDegraded) return { message: messages('service_not_degraded', { service }), resolvesKey: repeatKey }
      return {
        message: messages('service_degraded', { service, problem: change.problem || messages('no_answer') }),
        repeatKey,
      }
    }
    case 'up':
      return { message: messages('service_up', { service }), resolvesKey: `${key} down` }
    case 'certificate changed': {
      const { certificate, previous } = change
      const issuerOf = ({ issuer }: { issuer: string }) => issuer || messages('unknown_issuer')
      const message = messages('certificate_changed', {
        service,
        oldIssuer: issuerOf(previous),
        oldEnd: expiryText(previous),
        issuer: issuerOf(certificate),
        end: expiryText(certificate),
      })
      return { message }
    }
    case 'certificate ends': {
      const verb = change.certificate.expiresAt <= now ? 'certificate_ended' : 'certificate_ends'
      return { message: messages(verb, { service, end: expiryText(change.certificate) }) }
    }
    case 'slow': {
      const delay = change.delay.toFixed(1)
      const repeatKey = `${key} latency`
      if (change.latency === 'above') {
        return { message: messages('latency_above', { service, delay, bound: max_latency }), repeatKey }
      }
      if (change.latency === 'below') {
        return { message: messages('latency_below', { service, delay, bound: min_latency }), repeatKey }
      }
      return { message: messages('latency_within', { service, delay }), resolvesKey: repeatKey }
    }
  }
}

const expiryText = ({ expiresAt }: { expiresAt: number }) =>
  `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
