import type { OutgoingNotification } from '../notifications/notifications.ts'
import type { ServiceRow } from './serviceRow.ts'
import type { StatusChange } from './serviceStatus.ts'

export interface ReportedChange {
  service: ServiceRow
  change: StatusChange
  /** The server whose result has changed the status; `undefined` where this server has looked itself. */
  reporter: { id?: number; name: string } | undefined
  /** How many servers check the service, and on how many of them it is down. */
  servers: { down: number; all: number }
  /** Milliseconds since 1970. */
  now: number
}

/** The notification about a change of a service's status; `undefined` where the service has it switched off. */
export function statusNotification(reported: ReportedChange): OutgoingNotification | undefined {
  const { service, change, reporter, servers, now } = reported
  const isEnabled = change.kind === 'slow' ? service.latency_notify : service.notify
  if (!isEnabled || service.notification_group_id === 0) return undefined
  const texts = textsOf(service, change, now)
  const isStatus = change.kind === 'up' || change.kind === 'down'
  const downCount = isStatus && servers.all > 1 ? `; down on ${servers.down} of ${servers.all} servers` : ''
  return {
    groupId: service.notification_group_id,
    serverId: reporter?.id,
    serviceId: service.id,
    ...texts,
    message: `${texts.message} (seen from ${reporter?.name ?? 'this console'}${downCount})`,
  }
}

type NotificationTexts = Pick<OutgoingNotification, 'message' | 'repeatKey' | 'resolvesKey'>

function textsOf(
  { id, name, min_latency, max_latency }: ServiceRow,
  change: StatusChange,
  now: number,
): NotificationTexts {
  const key = `service ${id}`
  switch (change.kind) {
    case 'down':
      return { message: `[Down] ${name}: ${change.problem || 'no answer'}`, repeatKey: `${key} down` }
    case 'up':
      return { message: `[Up] ${name} answers again`, resolvesKey: `${key} down` }
    case 'certificate changed': {
      const { certificate, previous } = change
      const message = `[Certificate] ${name} has another one: by ${issuerName(previous)} until ${expiryText(previous)} before, by ${issuerName(certificate)} until ${expiryText(certificate)} now`
      return { message, repeatKey: `${key} certificate` }
    }
    case 'certificate ends': {
      const verb = change.certificate.expiresAt <= now ? 'has run out on' : 'runs out on'
      return { message: `[Certificate] The one of ${name} ${verb} ${expiryText(change.certificate)}` }
    }
    case 'slow': {
      const delay = `${change.delay.toFixed(1)} ms`
      if (change.latency === 'above') {
        return { message: `[Latency] ${name}: ${delay}, more than ${max_latency} ms`, repeatKey: `${key} latency` }
      }
      if (change.latency === 'below') {
        return { message: `[Latency] ${name}: ${delay}, less than ${min_latency} ms`, repeatKey: `${key} latency` }
      }
      return { message: `[Latency] ${name}: ${delay}, within its bounds again`, resolvesKey: `${key} latency` }
    }
  }
}

const issuerName = ({ issuer }: { issuer: string }) => issuer || 'an unknown issuer'

const expiryText = ({ expiresAt }: { expiresAt: number }) =>
  `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
