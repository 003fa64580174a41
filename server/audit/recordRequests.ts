import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Audit, AuditEvent } from './auditLog.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `<area>.<verb>`, as `user.delete`: what this route does that somebody may have to account for. Written down
     * when the route has answered well.
     */
    deed?: string
  }
  interface FastifyRequest {
    /** What the handler tells of its deed; see `tellOfDeed`. */
    deed?: Told
  }
}

type Told = Pick<AuditEvent, 'target' | 'detail'>

/** Says what a deed was done to, and how, in the words of the audit log. Never content or secrets. */
export function tellOfDeed(request: FastifyRequest, told: Told): void {
  request.deed = { ...request.deed, ...told }
}

/** The calls outside CRUD that are deeds, by their names in `endpoints`. */
const deeds: Readonly<Record<string, string>> = {
  runCron: 'cron.run',
  updateDdns: 'ddns.run',
  blockOnlineUsers: 'waf.block',
  setServerConfig: 'server.config',
  forceUpdate: 'server.force-update',
  updateProfile: 'profile.update',
  updateSetting: 'setting.update',
  unbindOauth2: 'oauth2.unbind',
  endSession: 'session.end',
  endOtherSessions: 'session.end',
  logout: 'session.sign-out',
}

/** What a call outside CRUD is in the audit log; nothing when it is none of its business. */
export const deedOf = (endpoint: string): { config?: { deed: string } } =>
  deeds[endpoint] ? { config: { deed: deeds[endpoint] } } : {}

/** Writes down the deeds of the routes that are registered after this call. */
export function auditDeeds(app: FastifyInstance, audit: Audit): void {
  app.addHook('preSerialization', async (request, _reply, payload) => {
    const { deed: action } = request.routeOptions.config
    if (action && isSuccess(payload)) {
      const { person, address } = request
      audit.write({ action, person: person && { id: person.id, username: person.username }, address, ...request.deed })
    }
    return payload
  })
}

const isSuccess = (payload: unknown) =>
  typeof payload === 'object' && payload !== null && (payload as { success?: unknown }).success === true

/** More than these are counted: a line has to stay a line. */
const namedAtMost = 20

/** Records or addresses as the target of a deed: `user 7, 9`. Nothing for none. */
export function namesOf(kind: string, values: readonly (number | string)[]): string | undefined {
  if (values.length === 0) return undefined
  const more = values.length - namedAtMost
  const named = values.slice(0, namedAtMost).map((value) => String(value).slice(0, 64))
  return `${kind} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
