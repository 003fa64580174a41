import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import type { Waf } from '../auth/blocking/blockedAddresses.ts'
import type { OnlineUsers } from '../auth/onlineUsers.ts'
import { blockVisitors } from '../auth/wafHooks.ts'
import { ddnsProviders } from '../ddns/providers/index.ts'
import { addAuditDetails, auditTarget } from '../http/routes/auditAction.ts'
import { route } from '../http/routes/route.ts'
import { readTexts } from '../wire/readIds.ts'

export interface CallServices {
  waf: Waf
  online: OnlineUsers
}

/** Registers the calls that belong to an entity's screen and are no CRUD. */
export function registerCalls(app: FastifyInstance, { waf, online }: CallServices): void {
  route(app, 'ddnsProviders', endpoints.ddnsProviders, () => ddnsProviders)
  route(app, 'blockOnlineUsers', endpoints.blockOnlineUsers, readTexts, (request) => {
    const addresses = request.body
    addAuditDetails(request, { target: auditTarget('ip', addresses) })
    blockVisitors(waf, online, addresses)
  })
}
