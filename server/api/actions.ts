import type { FastifyInstance } from 'fastify'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { namesOf, tellOfDeed } from '../audit/recordRequests.ts'
import type { Waf } from '../auth/blocking/blockedAddresses.ts'
import { blockVisitors } from '../auth/blocking/visitorHooks.ts'
import type { Guard } from '../auth/guard.ts'
import type { OnlineUsers } from '../auth/onlineUsers.ts'
import { ddnsProviders } from '../ddns/ddnsHooks.ts'
import { handle } from '../http/routes/route.ts'
import { readTexts } from '../wire/readIds.ts'

export interface CallServices {
  guard: Guard
  waf: Waf
  online: OnlineUsers
}

/** Registers the calls that belong to an entity's screen and are no CRUD. */
export function registerCalls(app: FastifyInstance, { guard, waf, online }: CallServices): void {
  handle(app, guard, 'ddnsProviders', endpoints.ddnsProviders, () => ddnsProviders)
  handle(app, guard, 'blockOnlineUsers', endpoints.blockOnlineUsers, (request) => {
    const addresses = readTexts(request.body)
    tellOfDeed(request, { target: namesOf('ip', addresses) })
    blockVisitors(waf, online, addresses)
  })
}
