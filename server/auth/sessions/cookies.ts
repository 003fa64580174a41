import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookies } from '../../../src/schemas/define/wireNames.ts'
import type { Csrf } from './csrf.ts'
import { type Grant, sessionLifetime } from './sessions.ts'

/** Writes the two cookies of a session. Both are readable by script: the contract's console needs them so. */
export interface SessionCookies {
  set(request: FastifyRequest, reply: FastifyReply, grant: Grant): void
  /** Gives the browser a CSRF value when it has none that is ours. */
  seedCsrf(request: FastifyRequest, reply: FastifyReply): void
  /** Takes them out of the browser. */
  clear(reply: FastifyReply): void
}

/** @param secure whether browsers reach us by https only */
export function createSessionCookies(csrf: Csrf, secure: boolean): SessionCookies {
  function setCsrf(request: FastifyRequest, reply: FastifyReply): void {
    // A genuine value stays: calls under way would fail if it changed beneath them.
    const kept = request.cookies[cookies.csrf]
    const value = csrf.isGenuine(kept) ? kept : csrf.create()
    reply.setCookie(cookies.csrf, value, { path: '/', sameSite: 'strict', secure })
  }
  return {
    set(request, reply, { token }) {
      reply.setCookie(cookies.session, token, { path: '/', maxAge: sessionLifetime, sameSite: 'lax', secure })
      setCsrf(request, reply)
    },
    seedCsrf(request, reply) {
      if (!csrf.isGenuine(request.cookies[cookies.csrf])) setCsrf(request, reply)
    },
    clear(reply) {
      for (const name of Object.values(cookies)) reply.clearCookie(name, { path: '/' })
    },
  }
}
