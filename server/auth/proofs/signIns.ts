import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { AuditLog } from '../../audit/auditLog.ts'
import type { Auth } from '../auth.ts'
import { createSealedTokens, secretIn } from '../sessions/sealedTokens.ts'
import type { Grant } from '../sessions/sessions.ts'
import type { User } from '../users/users.ts'

/** What follows a right password, an account at a provider, or a passkey. */
export interface SignIns {
  /**
   * Opens the session of somebody whose sign-in is complete: sets the cookies, forgets the failures before it, and records
   * it in the audit log. @param detail how they signed in
   */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    user: User,
    detail: { by: string; second_factor?: string },
  ): Promise<Grant>
  /** Calls `listener` after every successful sign-in. */
  onSignIn(listener: (signIn: SignIn) => void): void
  /** Keeps a sign-in until the second factor is given. @returns the token with which it goes on */
  hold(request: FastifyRequest, user: User, by: string): Promise<string>
  /** The sign-in that this token holds. @returns `undefined` when it is over: late, from elsewhere, with an old password, by a way that is closed */
  held(request: FastifyRequest, token: string): Promise<{ user: User; by: string } | undefined>
  /** Ends it, once. @returns whether it was still there */
  release(token: string): Promise<boolean>
}

/** Who signed in, from where and how. */
export interface SignIn {
  user: Pick<User, 'id' | 'username'>
  address: string
  /** `password`, `passkey`, or the name of the provider. */
  by: string
}

/** A sign-in whose first half went well. */
interface HeldSignIn {
  userId: number
  /** Of the first half; the second must come from the same network, as the settings have it. */
  address: string
  /** `password`, or the name of the provider. */
  by: string
  /** `updated_at` of the user: a changed password ends what was begun with the old one. */
  version: string
}

/** Seconds for the second half. */
export const heldSignInLifetime = 300

interface SignInServices {
  auth: Auth
  audit: AuditLog
  /** Called after every successful sign-in. */
  onSignIn(userId: number): void
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

export function createSignIns({ auth, audit, onSignIn, now }: SignInServices): SignIns {
  const tokens = createSealedTokens<HeldSignIn>({
    key: secretIn(auth.store, 'auth.challengeKey'),
    purpose: 'second half of a sign-in',
    lifetime: heldSignInLifetime,
    now,
  })
  const listeners = new Set<(signIn: SignIn) => void>()

  /** Whether that way in is still there: a provider may have been disabled, or be the only way, since the first half. */
  const isOpen = (user: User, by: string) =>
    by === 'password' ? auth.needsNoProvider(user) : auth.signInProviders.enabled().some(({ name }) => name === by)

  return {
    onSignIn: (listener) => void listeners.add(listener),
    async open(request, reply, user, detail) {
      const { address } = request
      auth.waf.clearFailures(address, user.id, await auth.knownBrowsers.keyOf(request, user.id))
      const userAgent = request.headers['user-agent'] ?? ''
      const grant = await auth.sessions.open({ userId: user.id, address, userAgent })
      auth.sessionCookies.set(request, reply, grant)
      await auth.knownBrowsers.remember(request, reply, user, String(decodeJwt(grant.token).sid))
      auth.recordSeen(user.id)
      audit.write({ action: 'session.sign-in', person: user, address, detail })
      onSignIn(user.id)
      for (const listener of listeners) listener({ user, address, by: detail.by })
      return grant
    },
    hold: ({ address }, user, by) => tokens.create({ userId: user.id, address, by, version: user.updated_at }),
    async held(request, token) {
      const held = await tokens.read(token)
      const user = held && auth.activeUser(held.userId)
      const isHere = held !== undefined && auth.sessionNetwork.isSame(held.address, request.address)
      return user && isHere && user.updated_at === held.version && isOpen(user, held.by)
        ? { user, by: held.by }
        : undefined
    },
    release: async (token) => (await tokens.take(token)) !== undefined,
  }
}
