import type { FastifyInstance } from 'fastify'
import { type Browser, createBrowser } from '../../console/browser.ts'
import type { TestServer } from '../testServer.ts'

/** A browser with a session, without the work of a password; nobody's without a user. */
export const enter = ({ app }: TestServer, userId?: number): Promise<Browser> => enterAt(app, userId)

/** The same, at any server. */
export async function enterAt(app: FastifyInstance, userId?: number): Promise<Browser> {
  const visitor = createBrowser(app)
  if (userId === undefined) return visitor
  const { sessions, csrf } = app.auth
  const { token } = await sessions.open({ userId, address: '127.0.0.1', userAgent: '' })
  const [session] = sessions.ofUser(userId)
  visitor.cookies.set('nz-jwt', token).set('nz-csrf', csrf.create(session?.key ?? ''))
  return visitor
}
