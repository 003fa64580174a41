import type { Notice } from '../notifications/notifications.ts'
import type { ServiceRow } from './serviceRow.ts'
import type { News } from './status.ts'

/** What is said about news of a service, or nothing where nobody asked for it. @param now milliseconds since 1970 */
export function noticeOf(service: ServiceRow, server: { id: number; name: string }, news: News, now: number) {
  const isWanted = news.kind === 'slow' ? service.latency_notify : service.notify
  if (!isWanted || service.notification_group_id === 0) return undefined
  const said = words(service, news, now)
  const notice: Notice = {
    groupId: service.notification_group_id,
    serverId: server.id,
    ...said,
    message: `${said.message} (seen from ${server.name})`,
  }
  return notice
}

type Said = Pick<Notice, 'message' | 'muteKey' | 'unmutes'>

function words({ id, name, min_latency, max_latency }: ServiceRow, news: News, now: number): Said {
  const key = `service ${id}`
  switch (news.kind) {
    case 'down':
      return { message: `[Down] ${name}: ${news.problem || 'no answer'}`, muteKey: `${key} down` }
    case 'up':
      return { message: `[Up] ${name} answers again`, unmutes: `${key} down` }
    case 'certificate changed': {
      const { certificate, before } = news
      const message = `[Certificate] ${name} has another one: by ${issuer(before)} until ${day(before)} before, by ${issuer(certificate)} until ${day(certificate)} now`
      return { message, muteKey: `${key} certificate` }
    }
    case 'certificate ends': {
      const end = news.certificate.expiresAt <= now ? 'has run out on' : 'runs out on'
      return { message: `[Certificate] The one of ${name} ${end} ${day(news.certificate)}` }
    }
    case 'slow': {
      const delay = `${news.delay.toFixed(1)} ms`
      if (news.latency === 'above') {
        return { message: `[Latency] ${name}: ${delay}, more than ${max_latency} ms`, muteKey: `${key} latency` }
      }
      if (news.latency === 'below') {
        return { message: `[Latency] ${name}: ${delay}, less than ${min_latency} ms`, muteKey: `${key} latency` }
      }
      return { message: `[Latency] ${name}: ${delay}, within its bounds again`, unmutes: `${key} latency` }
    }
  }
}

const issuer = ({ issuer }: { issuer: string }) => issuer || 'an unknown issuer'

const day = ({ expiresAt }: { expiresAt: number }) =>
  `${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
