import type { FastifyInstance } from 'fastify'
import { endpoints } from '../src/schemas/endpoints.ts'
import type { Guard } from './auth/guard.ts'
import type { Waf } from './auth/waf.ts'
import { ddnsProviders } from './behaviours/ddns.ts'
import { blockVisitors } from './behaviours/visitors.ts'
import { namesOf, tellOfDeed } from './deeds.ts'
import { handle } from './handle.ts'
import type { OnlineUsers } from './onlineUsers.ts'
import { readTexts } from './wire/readIds.ts'

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
