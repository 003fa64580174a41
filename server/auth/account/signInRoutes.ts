import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  accountDisabled,
  directoryPasswordExpired,
  errorPrefix,
  outsideRefusals,
} from '../../../src/schemas/define/wireNames.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { describeCall } from '../../http/routes/openapi.ts'
import { route } from '../../http/routes/route.ts'
import type { Person } from '../../person.ts'
import { success } from '../../wire/apiCall.ts'
import type { Auth } from '../auth.ts'
import { BlockedError } from '../blocking/blockedPage.ts'
import { refuseUnauthenticated } from '../guard.ts'
import type { SignIns } from '../proofs/signIns.ts'
import { type Client, type Credentials, type DirectorySignIn, readCredentials, signIn } from './signIn.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** How many things are wrong now of what a person sees: see `troubles` of a profile. */
    countTroubles(person: Person | undefined): number
  }
}

interface SignInServices {
  auth: Auth
  audit: AuditLog
  signIns: SignIns
  directories: DirectorySignIn
}

/** Sign-in, renewal, and the own profile. */
export function registerSignIn(app: FastifyInstance, options: SignInServices): void {
  const { auth } = options
  // Not behind the guard: the client may still send the cookie of an ended session.
  app.route({
    method: endpoints.login.method,
    url: `/api/v1/${endpoints.login.path}`,
    config: { describe: () => describeCall('login', endpoints.login) },
    bodyLimit: endpoints.login.bodyLimit,
    handler: (request, reply) => login(request, reply, options),
  })
  const renew = (request: FastifyRequest, reply: FastifyReply) => refresh(request, reply, auth)
  route(app, 'refreshToken', endpoints.refreshToken, renew)
  // The only verb of older servers that is accepted: forged by another site it does no harm.
  route(app, 'refreshToken', { ...endpoints.refreshToken, method: 'GET' }, renew)
  route(app, 'profile', endpoints.profile, (request, reply) => profileOf(request, reply, options))
}

async function login(request: FastifyRequest, reply: FastifyReply, services: SignInServices) {
  const { auth, audit, signIns, directories } = services
  const credentials = readCredentials(request.body)
  if (!credentials) return refuseUnauthenticated(auth, reply)
  const { address } = request
  const startedAt = performance.now()
  const outcome = await checkPassword(request, credentials, services)
  if (outcome.result === 'aborted') return refuseUnauthenticated(auth, reply)
  if (outcome.result === 'outside') return reply.send({ error: outsideRefusals[outcome.refusal] })
  if (outcome.result === 'expired') {
    audit.write({ action: 'session.sign-in-failed', address, detail: { by: outcome.by, outcome: 'expired' } })
    return reply.send({ error: directoryPasswordExpired })
  }
  if (outcome.result !== 'good' && outcome.result !== 'disabled') {
    // Unknown names stay out of the log: passwords get typed into that field too.
    const target = outcome.userId === undefined ? {} : { target: `user ${outcome.userId}` }
    audit.write({ action: 'session.sign-in-failed', address, ...target, detail: { by: 'password' } })
    await directories.delayRefusal(startedAt)
    return refuseUnauthenticated(auth, reply)
  }
  const { user } = outcome
  if (outcome.result === 'disabled') {
    audit.write({
      action: 'session.sign-in-failed',
      address,
      target: `user ${user.id}`,
      detail: { outcome: 'disabled' },
    })
    return reply.send({ error: accountDisabled })
  }
  const by = outcome.by ?? 'password'
  if (auth.secondFactor.has(user.id)) {
    return reply.send({ error: secondFactorNeeded, data: { state: await signIns.hold(request, user, by) } })
  }
  return success(await signIns.open(request, reply, user, { by }))
}

/** Checks a name and a password here, and at the directories where they are not those of an account here. */
async function checkPassword(request: FastifyRequest, credentials: Credentials, { auth, directories }: SignInServices) {
  const client: Client = {
    address: request.address,
    browserOf: (account) => auth.knownBrowsers.keyOf(request, account),
    isAborted: () => request.raw.socket.destroyed,
    directories,
  }
  try {
    const outcome = await signIn(auth, credentials, client)
    return outcome.result === 'elsewhere' ? await directories.signIn(credentials, client, outcome.takeBack) : outcome
  } catch (error) {
    // A wrong password of this server blocks at once, one of a directory when that has answered: a burst must not tell.
    if (error instanceof BlockedError) await directories.waitForOthers(request.address)
    throw error
  }
}

/** The error of a sign-in that needs a second factor. Consoles that cannot ask for one show it as it is. */
const secondFactorNeeded = `${errorPrefix.secondFactor}: this account has a second factor, and this page cannot ask for it: sign in on the console of this server`

async function refresh(request: FastifyRequest, reply: FastifyReply, auth: Auth) {
  if (!request.session) return refuseUnauthenticated(auth, reply)
  const grant = await auth.sessions.renew(request.session)
  auth.sessionCookies.set(request, reply, grant)
  auth.recordSeen(request.session.user_id)
  return grant
}

function profileOf(request: FastifyRequest, reply: FastifyReply, { auth, directories }: SignInServices) {
  const user = auth.users.get(request.person?.id ?? 0)
  if (!user) return refuseUnauthenticated(auth, reply)
  const oauth2_bind = auth.bindings.ofUser(user.id)
  const troubles = request.server.countTroubles(request.person)
  return {
    id: user.id,
    created_at: user.created_at,
    updated_at: user.updated_at,
    username: user.username,
    role: user.role,
    agent_secret: user.agent_secret,
    ...(user.reject_password && { reject_password: true }),
    ...(troubles > 0 && { troubles }),
    // As it is seen now: the console warns before somebody blocks their own address.
    ...(request.session?.address && request.address && { login_ip: request.address }),
    ...(user.notifiers.length > 0 && { notifiers: [...user.notifiers] }),
    ...(Object.keys(oauth2_bind).length > 0 && { oauth2_bind }),
    ...(directories.areAsked() && { directories: directories.enabled().map(({ name }) => name) }),
  }
}
