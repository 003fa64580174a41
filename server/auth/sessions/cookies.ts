import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import { cookies } from '../../../src/schemas/define/wireNames.ts'
import type { Csrf } from './csrf.ts'
import { type Grant, sessionLifetime } from './sessions.ts'

/** Writes the two cookies of a session. Scripts can read both: the contract's console needs that. */
export interface SessionCookies {
  set(request: FastifyRequest, reply: FastifyReply, grant: Grant): void
  /** Sets a CSRF cookie when the browser has none that we made for the session of the request. */
  seedCsrf(request: FastifyRequest, reply: FastifyReply): void
  /** Deletes both cookies in the browser. */
  clear(reply: FastifyReply): void
}

/** @param secure whether browsers reach this server by https only */
export function createSessionCookies(csrf: Csrf, secure: boolean): SessionCookies {
  function setCsrf(request: FastifyRequest, reply: FastifyReply, session: string): void {
    // A valid value stays: calls that are under way would fail if it changed.
    const existing = request.cookies[cookies.csrf]
    const value = csrf.isGenuine(existing, session) ? existing : csrf.create(session)
    reply.setCookie(cookies.csrf, value, { path: '/', sameSite: 'strict', secure })
  }
  return {
    set(request, reply, { token }) {
      reply.setCookie(cookies.session, token, { path: '/', maxAge: sessionLifetime, sameSite: 'lax', secure })
      setCsrf(request, reply, String(decodeJwt(token).sid))
    },
    seedCsrf(request, reply) {
      const { session } = request
      if (session && !csrf.isGenuine(request.cookies[cookies.csrf], session.key)) setCsrf(request, reply, session.key)
    },
    clear(reply) {
      for (const name of Object.values(cookies)) reply.clearCookie(name, { path: '/' })
    },
  }
}
