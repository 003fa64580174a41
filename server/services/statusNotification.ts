import type { OutgoingNotification } from '../notifications/notifications.ts'
import type { Messages } from '../site/messages.ts'
import { spanText } from '../site/spanText.ts'
import type { ServiceRow } from './serviceRow.ts'
import type { StatusChange } from './serviceStatus.ts'

export interface ReportedChange {
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
export function statusNotification(reported: ReportedChange, messages: Messages): OutgoingNotification | undefined {
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
