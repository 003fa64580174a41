import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { factorFailures } from '../../../src/schemas/define/factorFailures.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { secondFactorEndpoints as calls } from '../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import { addAuditDetails, route } from '../../http/routes/route.ts'
import type { Settings } from '../../settings.ts'
import { readSite } from '../../site/site.ts'
import { ApiError, bodyReader, timestamp } from '../../wire/apiCall.ts'
import type { Auth } from '../auth.ts'
import { maxPasskeysPerUser, relyingPartyOf } from '../secondFactor/passkeys.ts'
import { createSealedTokens } from '../sessions/sealedTokens.ts'
import type { User } from '../users/users.ts'
import { createProofs, type Proofs, registerSecondFactorSignIn } from './proofs.ts'
import { createSignIns, type SignIns } from './signIns.ts'

declare module 'fastify' {
  interface FastifyInstance {
    signIns: SignIns
  }
}

interface ProofsOptions {
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** Called after every successful sign-in. */
  onSignIn(userId: number): void
}

/** Second factors: how people set them up, sign in with them, and are asked again (docs/decisions/second-factor.md). */
export const proofsPlugin = fp(
  async (app: FastifyInstance, { settings: { publicUrl }, now, onSignIn }: ProofsOptions) => {
    const { auth, audit } = app
    const signIns = createSignIns({ auth, audit, onSignIn, now })
    const proofs = createProofs({ auth, audit, publicUrl, now })
    app.decorate('signIns', signIns)
    registerSecondFactorSignIn(app, { proofs, signIns })
    registerReauthentication(app, { auth, proofs })
    registerOwnFactor(app, { auth, publicUrl, now })
    route(
      app,
      { name: 'resetSecondFactor', audit: 'user.reset-second-factor' },
      endpoints.resetSecondFactor,
      (request) => {
        const { id } = request.params
        if (!auth.users.get(id)) throw new ApiError(`user id ${id} does not exist`)
        auth.administrators.checkStaysOne({ passkeys: id })
        addAuditDetails(request, { target: `user ${id}` })
        auth.store.urgently(() => {
          auth.secondFactor.remove(id)
          // Who has the lost device may have one of its sessions.
          auth.sessions.revokeAll(id)
        })
        app.onlineUsers.disconnect(({ person }) => person?.id === id)
      },
    )
  },
  { name: 'proofs', dependencies: ['security', 'audit'] },
)

/** How a signed-in person proves again who they are. */
function registerReauthentication(app: FastifyInstance, { auth, proofs }: { auth: Auth; proofs: Proofs }): void {
  function ownUser({ person }: FastifyRequest): User {
    const user = auth.users.get(person?.id ?? 0)
    if (!user) throw new ApiError('permission denied')
    return user
  }

  route(app, 'reauthenticationOptions', calls.reauthenticationOptions, (request) =>
    proofs.options(request, ownUser(request)),
  )
  route(
    app,
    { name: 'reauthenticate', audit: 'session.reauthenticate' },
    calls.reauthenticate,
    bodyReader(calls.reauthenticate),
    async (request) => {
      const user = ownUser(request)
      await proofs.check(request, user, request.body)
      auth.waf.clearFailures(request.address, user.id, await auth.knownBrowsers.keyOf(request, user.id))
      if (request.session) auth.sessions.recordProof(request.session)
    },
  )
}

interface OwnFactorOptions {
  auth: Auth
  publicUrl?: URL
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Seconds for a set-up: long enough to install an app on the phone. */
const setUpLifetime = 900

/** What people do with their own second factor: set it up, replace it, take it away. */
function registerOwnFactor(app: FastifyInstance, { auth, publicUrl, now }: OwnFactorOptions): void {
  const { secondFactor, users, sessions, store } = auth
  const { apps, passkeys, recoveryCodes, ceremonies } = secondFactor
  // With the client, so that set-ups in two tabs do not mix.
  const newApps = createSealedTokens<{ userId: number; secret: string }>({
    purpose: 'authenticator app',
    lifetime: setUpLifetime,
    now,
  })
  const newPasskeys = createSealedTokens<{ userId: number; challenge: string }>({
    purpose: 'new passkey',
    lifetime: setUpLifetime,
    now,
  })
  const siteName = () => readSite(store).site_name || 'Wheelhouse'

  function ownUser({ person }: FastifyRequest): User {
    const user = users.get(person?.id ?? 0)
    if (!user) throw new ApiError('permission denied')
    return user
  }

  /**
   * Stores a new factor. The first one brings recovery codes, and ends the sessions that were opened without it in other
   * browsers.
   */
  function addFactor(request: FastifyRequest, user: User, save: () => void) {
    const isFirst = !secondFactor.has(user.id)
    return store.transaction(() => {
      save()
      if (isFirst) sessions.end(sessions.ofUser(user.id).filter(({ id }) => id !== request.session?.id))
      return isFirst || recoveryCodes.count(user.id) === 0 ? { recovery_codes: recoveryCodes.renew(user.id) } : {}
    })
  }

  /** Takes one factor away. Without any, recovery codes have nothing to recover. */
  function removeFactor(user: User, remove: () => void): void {
    store.urgently(() => {
      remove()
      if (secondFactor.has(user.id)) return
      if (readSite(store).require_second_factor === true) {
        throw new ApiError('an administrator requires a second factor: set up another one before you remove the last')
      }
      secondFactor.remove(user.id)
    })
  }

  route(app, 'ownSecondFactor', calls.ownSecondFactor, (request) => {
    const user = ownUser(request)
    const created = apps.createdAt(user.id)
    return {
      ...(created !== undefined && { totp: { created_at: timestamp(created) } }),
      passkeys: passkeys.ofUser(user.id).map(({ id, name, host, created, last_used }) => ({
        id,
        name,
        host,
        created_at: timestamp(created),
        ...(last_used > 0 && { last_used_at: timestamp(last_used) }),
      })),
      recovery_codes: recoveryCodes.count(user.id),
      required: readSite(store).require_second_factor === true,
    }
  })
  route(app, 'startTotp', calls.startTotp, async (request) => {
    const user = ownUser(request)
    const { secret, uri } = apps.newSecret(siteName(), user.username)
    return { secret, uri, state: await newApps.create({ userId: user.id, secret }) }
  })
  route(
    app,
    { name: 'addTotp', audit: 'second-factor.add' },
    calls.addTotp,
    bodyReader(calls.addTotp),
    async (request) => {
      const user = ownUser(request)
      const { state, code } = request.body
      const set = await newApps.read(state)
      if (set?.userId !== user.id) throw new ApiError(factorFailures.expired)
      const step = apps.stepOf(set.secret, code)
      if (step === undefined) throw new ApiError(factorFailures.wrong)
      // Once: calls that come at the same time have all read it.
      if (!(await newApps.take(state))) throw new ApiError(factorFailures.expired)
      return addFactor(request, user, () => apps.save(user.id, set.secret, step))
    },
  )
  route(app, { name: 'removeTotp', audit: 'second-factor.remove' }, calls.removeTotp, (request) => {
    const user = ownUser(request)
    removeFactor(user, () => apps.remove(user.id))
  })
  route(app, 'startPasskey', calls.startPasskey, async (request) => {
    const user = ownUser(request)
    const existing = passkeys.ofUser(user.id)
    if (existing.length >= maxPasskeysPerUser) {
      throw new ApiError(`you have ${existing.length} passkeys, and no more fit: remove one first`)
    }
    const site = siteOf(request, publicUrl)
    const options = await ceremonies.creationOptions({ site, siteName: siteName(), user, existing })
    const challenge = await newPasskeys.create({ userId: user.id, challenge: options.challenge })
    return { passkey: { ...options }, challenge }
  })
  route(
    app,
    { name: 'addPasskey', audit: 'second-factor.add' },
    calls.addPasskey,
    bodyReader(calls.addPasskey),
    async (request) => {
      const user = ownUser(request)
      const { name, challenge, response } = request.body
      const asked = await newPasskeys.take(challenge, ({ userId }) => userId === user.id)
      if (!asked) throw new ApiError(factorFailures.expired)
      const site = siteOf(request, publicUrl)
      const credential = await ceremonies.verifyCreation(site, asked.challenge, response)
      if (!credential || passkeys.withCredential(credential.id)) throw new ApiError(factorFailures.passkey)
      addAuditDetails(request, { detail: { name } })
      return addFactor(request, user, () =>
        passkeys.add({
          user_id: user.id,
          name,
          credential_id: credential.id,
          public_key: Buffer.from(credential.publicKey).toString('base64url'),
          counter: credential.counter,
          transports: (credential.transports ?? []).slice(0, 8),
          host: site.id,
        }),
      )
    },
  )
  route(app, { name: 'removePasskey', audit: 'second-factor.remove' }, calls.removePasskey, (request) => {
    const user = ownUser(request)
    const { id } = request.params
    const present = passkeys.ofUser(user.id)
    const passkey = present.find((one) => one.id === id)
    if (!passkey) throw new ApiError(`passkey id ${id} does not exist`)
    if (present.length === 1) auth.administrators.checkStaysOne({ passkeys: user.id })
    addAuditDetails(request, { detail: { name: passkey.name } })
    removeFactor(user, () => passkeys.remove([id]))
  })
  route(
    app,
    { name: 'renewRecoveryCodes', audit: 'second-factor.renew-codes' },
    calls.renewRecoveryCodes,
    (request) => {
      const user = ownUser(request)
      if (!secondFactor.has(user.id)) throw new ApiError('set up an authenticator app or a passkey first')
      return { recovery_codes: recoveryCodes.renew(user.id) }
    },
  )
}

/** @throws ApiError where browsers offer no passkeys */
function siteOf(request: FastifyRequest, publicUrl: URL | undefined) {
  const site = relyingPartyOf(request, publicUrl)
  if (site) return site
  const address = publicUrl ? publicUrl.origin : 'https and a host name, or localhost'
  throw new ApiError(`passkeys do not work at this address: open the console by ${address}`)
}
