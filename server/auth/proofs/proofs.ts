import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { factorFailures } from '../../../src/schemas/define/factorFailures.ts'
import { onlyProviders, pendingFactorCookie } from '../../../src/schemas/define/wireNames.ts'
import {
  secondFactorEndpoints as calls,
  type Proof,
  type ProofMethod,
  type ProofOptions,
} from '../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { describeCall } from '../../http/routes/openapi.ts'
import { ApiError, bodyReader, success } from '../../wire/apiCall.ts'
import { addressGroup, isSameAddress } from '../addresses/clientAddress.ts'
import type { Auth } from '../auth.ts'
import type { Attempt } from '../blocking/blockRules.ts'
import { verifyPassword } from '../passwords/password.ts'
import { type Passkey, relyingPartyOf } from '../secondFactor/passkeys.ts'
import { createSealedTokens } from '../sessions/sealedTokens.ts'
import type { User } from '../users/users.ts'
import type { SignIns } from './signIns.ts'

/** Asks people who they are, and checks what they answer. */
export interface Proofs {
  /** What can be asked of a user on the site of this request. @param user left out: anybody, by a passkey alone */
  options(request: FastifyRequest, user?: User): Promise<ProofOptions>
  /**
   * Checks a proof of this user. A wrong one counts as a wrong password does.
   * @throws ApiError with one of `factorFailures`, BlockedError soon after a wrong one
   */
  check(request: FastifyRequest, user: User, proof: Proof): Promise<void>
  /** Whose passkey signed this, in place of name and password. @throws ApiError as `check` does */
  identify(request: FastifyRequest, proof: Proof): Promise<User>
}

interface ProofServices {
  auth: Auth
  audit: AuditLog
  publicUrl?: URL
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Whom a passkey was asked of, and where; `userId` 0 stands for anybody. */
interface Challenge {
  challenge: string
  userId: number
  /** The reply must come from there too: one that was overheard is good for nobody else. */
  address: string
}

/** Seconds. */
const challengeLifetime = 300

export function createProofs({ auth, audit, publicUrl, now }: ProofServices): Proofs {
  const { secondFactor, waf, knownBrowsers } = auth
  const challenges = createSealedTokens<Challenge>({
    purpose: 'passkey use',
    lifetime: challengeLifetime,
    now,
  })

  /** A passkey needs no name before it. */
  async function attemptBy(request: FastifyRequest, user?: User): Promise<Attempt> {
    const browser = await knownBrowsers.keyOf(request, user?.id)
    return user ? { kind: 'sign-in', account: user.id, browser } : { kind: 'passkey', browser }
  }

  /** Records a wrong proof as a failed sign-in. */
  function refuse(
    { address }: FastifyRequest,
    attempt: Attempt,
    method: ProofMethod,
    words: string,
    user?: User,
  ): never {
    waf.recordFailure(address, attempt)
    const target = user && { target: `user ${user.id}` }
    audit.write({ action: 'session.sign-in-failed', address, ...target, detail: { by: method } })
    throw new ApiError(words)
  }

  /** Without a pause before the failure is recorded: of a burst of codes only the first counts. */
  function checkCode(request: FastifyRequest, attempt: Attempt, user: User, code: string): void {
    if (secondFactor.wrongCodes.areTooMany(user.id)) throw new ApiError(factorFailures.tooMany)
    const result = secondFactor.apps.use(user.id, code)
    if (result === 'right') return
    // Somebody who gets here knows a right code: it is no guess.
    if (result === 'used' || result === 'unreadable') throw new ApiError(factorFailures[result])
    secondFactor.wrongCodes.record(user.id)
    refuse(request, attempt, 'totp', factorFailures.wrong, user)
  }

  /** @param userId of whom it was asked, 0 for anybody */
  async function verifyPasskey(request: FastifyRequest, userId: number, proof: Proof): Promise<Passkey | undefined> {
    const site = relyingPartyOf(request, publicUrl)
    const asked = await challenges.take(proof.challenge, (facts) => {
      return facts.userId === userId && isSameAddress(facts.address, request.address)
    })
    if (!asked) throw new ApiError(factorFailures.expired)
    const passkey = secondFactor.passkeys.withCredential(String(proof.response?.id ?? ''))
    if (!site || !passkey || passkey.host !== site.id || (userId !== 0 && passkey.user_id !== userId)) return undefined
    const counter = await secondFactor.ceremonies.verifyUse(site, passkey, {
      challenge: asked.challenge,
      response: proof.response,
      needsUserVerification: userId === 0,
    })
    if (counter === undefined) return undefined
    secondFactor.passkeys.recordUse(passkey.id, counter)
    return passkey
  }

  return {
    async options(request, user) {
      const site = relyingPartyOf(request, publicUrl)
      const methods = user ? methodsOf(auth, user, secondFactor.methods(user.id, site)) : ['passkey' as const]
      if (!methods.includes('passkey') || !site) return { methods: methods.filter((method) => method !== 'passkey') }
      const allowed = user ? secondFactor.passkeysAt(user.id, site) : []
      const passkey = await secondFactor.ceremonies.requestOptions(site, allowed)
      const challenge = await challenges.create({
        challenge: passkey.challenge,
        userId: user?.id ?? 0,
        address: request.address,
      })
      return { methods, passkey: { ...passkey }, challenge }
    },
    async check(request, user, proof) {
      const { method } = proof
      const attempt = await attemptBy(request, user)
      waf.check(request.address, attempt)
      const isOffered = methodsOf(auth, user, secondFactor.methods(user.id, relyingPartyOf(request, publicUrl)))
      // A method that the user has not set up is no guess either.
      if (!isOffered.includes(method)) throw new ApiError(`this account has no ${method} to prove who you are`)
      if (method === 'totp') checkCode(request, attempt, user, proof.code ?? '')
      else if (method === 'password') {
        const isRight = await isCurrentPassword({ auth, audit }, request, user, proof.password ?? '')
        if (!isRight) throw new ApiError(factorFailures.password)
      } else if (method === 'recovery') {
        if (!secondFactor.recoveryCodes.use(user.id, proof.code ?? '')) {
          refuse(request, attempt, method, factorFailures.wrong, user)
        }
      } else if (!(await verifyPasskey(request, user.id, proof))) {
        refuse(request, attempt, method, factorFailures.passkey, user)
      }
      secondFactor.wrongCodes.clear(user.id)
    },
    async identify(request, proof) {
      if (proof.method !== 'passkey') throw new ApiError(factorFailures.expired)
      const attempt = await attemptBy(request)
      waf.check(request.address, attempt)
      const passkey = await verifyPasskey(request, 0, proof)
      const user = passkey && auth.activeUser(passkey.user_id)
      if (user && !auth.needsNoProvider(user)) throw new ApiError(onlyProviders)
      return user ?? refuse(request, attempt, 'passkey', factorFailures.passkey)
    },
  }
}

/** A password is asked for only where there is nothing better, and where it may be used at all. */
function methodsOf({ secondFactor, needsNoProvider }: Auth, user: User, methods: ProofMethod[]): ProofMethod[] {
  if (secondFactor.has(user.id)) return methods
  return user.reject_password || !needsNoProvider(user) ? [] : ['password']
}

interface SignInOptions {
  proofs: Proofs
  signIns: SignIns
}

/** The second half of a sign-in, and the sign-in with a passkey alone. */
export function registerSecondFactorSignIn(app: FastifyInstance, { proofs, signIns }: SignInOptions): void {
  const readOptions = bodyReader(calls.signInOptions)
  const readProof = bodyReader(calls.completeSignIn)

  /** @throws ApiError when no sign-in waits for its second factor under this token any more */
  async function heldBy(request: FastifyRequest, token: string) {
    const held = await signIns.held(request, token)
    if (!held) throw new ApiError(factorFailures.expired)
    return held
  }

  async function listOptions(request: FastifyRequest) {
    const { state, after } = readOptions(request.body)
    const token = after === 'provider' ? (request.cookies[pendingFactorCookie] ?? '') : state
    return success(await proofs.options(request, token === undefined ? undefined : (await heldBy(request, token)).user))
  }

  async function complete(request: FastifyRequest, reply: FastifyReply) {
    const proof = readProof(request.body)
    const token = proof.after === 'provider' ? (request.cookies[pendingFactorCookie] ?? '') : proof.state
    if (token === undefined) {
      const user = await proofs.identify(request, proof)
      return success(await signIns.open(request, reply, user, { by: 'passkey' }))
    }
    const { user, by } = await heldBy(request, token)
    await proofs.check(request, user, proof)
    // Once: what was completed must not open a second session.
    if (!(await signIns.release(token))) throw new ApiError(factorFailures.expired)
    if (proof.after === 'provider') reply.clearCookie(pendingFactorCookie, { path: '/' })
    return success(await signIns.open(request, reply, user, { by, second_factor: proof.method }))
  }

  // Not behind the guard, as the sign-in itself: the client may still send the cookie of an ended session.
  for (const [name, handler] of [
    ['signInOptions', listOptions],
    ['completeSignIn', complete],
  ] as const) {
    const { method, path, bodyLimit } = calls[name]
    const config = { describe: () => describeCall(name, calls[name]) }
    app.route({ method, url: `/api/v1/${path}`, config, bodyLimit, handler })
  }
}

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
