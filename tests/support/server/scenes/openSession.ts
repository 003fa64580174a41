import { createAuth } from '../../../../server/auth/auth.ts'
import type { Browser } from '../../console/browser.ts'
import type { TestServer } from '../testServer.ts'

/** A browser with a session, without the work of a password; nobody's without a user. */
export async function enter({ browser, store, clock }: TestServer, userId?: number): Promise<Browser> {
  const visitor = browser()
  if (userId === undefined) return visitor
  const { sessions, csrf } = createAuth({ store, now: () => clock.now })
  const { token } = await sessions.open({ userId, address: '127.0.0.1', userAgent: '' })
  const [session] = sessions.ofUser(userId)
  visitor.cookies.set('nz-jwt', token).set('nz-csrf', csrf.create(session?.key ?? ''))
  return visitor
}
