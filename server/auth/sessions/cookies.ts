import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookies } from '../../../src/schemas/define/wireNames.ts'
import type { Csrf } from './csrf.ts'
import { type Grant, sessionLifetime } from './sessions.ts'

/** Writes the two cookies of a session. Scripts can read both: the contract's console needs that. */
export interface SessionCookies {
  set(request: FastifyRequest, reply: FastifyReply, grant: Grant): void
  /** Sets a CSRF cookie when the browser has none that we made. */
  seedCsrf(request: FastifyRequest, reply: FastifyReply): void
  /** Deletes both cookies in the browser. */
  clear(reply: FastifyReply): void
}

/** @param secure whether browsers reach this server by https only */
export function createSessionCookies(csrf: Csrf, secure: boolean): SessionCookies {
  function setCsrf(request: FastifyRequest, reply: FastifyReply): void {
    // A valid value stays: calls that are under way would fail if it changed.
    const existing = request.cookies[cookies.csrf]
    const value = csrf.isGenuine(existing) ? existing : csrf.create()
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
