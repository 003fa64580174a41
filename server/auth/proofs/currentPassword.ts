import type { FastifyRequest } from 'fastify'
import type { AuditLog } from '../../audit/auditLog.ts'
import { addressGroup } from '../addresses/canonicalAddress.ts'
import type { Auth } from '../auth.ts'
import { verifyPassword } from '../passwords/password.ts'
import type { User } from '../users/users.ts'

/**
 * Checks the password of somebody who is signed in, as every call does that asks for it again: whoever has found an open
 * browser must not be able to guess it. A wrong one counts like one at the sign-in, and is in the audit log. Attempts from
 * one address wait for one another. @throws BlockedError soon after a wrong one in this session
 */
export async function isCurrentPassword(
  { auth, audit }: { auth: Auth; audit: AuditLog },
  request: FastifyRequest,
  user: User,
  password: string,
): Promise<boolean> {
  const { address, person } = request
  const browser = await auth.knownBrowsers.keyOf(request, user.id)
  const attempt = { kind: 'sign-in', account: user.id, browser } as const
  const check = async () => {
    // A form without a password is no guess, as at the sign-in.
    if (password === '') return false
    auth.waf.check(address, attempt)
    const isRight = await verifyPassword(password, user.password)
    if (isRight) auth.waf.clearFailures(address, user.id, browser)
    else {
      auth.waf.recordFailure(address, attempt)
      audit.write({ action: 'user.wrong-password', person, address, target: `user ${user.id}` })
    }
    return isRight
  }
  return auth.hashQueue.run(addressGroup(address), check, true)
}
