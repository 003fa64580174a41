import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { profileUpdate } from '../../../src/schemas/account/profileUpdate.ts'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import { adminScopes } from '../../../src/schemas/define/access.ts'
import type { BodyOf } from '../../../src/schemas/define/endpoint.ts'
import { signedOutCookie } from '../../../src/schemas/define/wireNames.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { nezhaEndpoints } from '../../../src/schemas/endpoints/nezhaEndpoints.ts'
import { tokenScopes } from '../../../src/schemas/grantableScopes.ts'
import { server } from '../../../src/schemas/server.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import type { Store } from '../../db/store.ts'
import { compileEntity } from '../../entities/compileEntity.ts'
import { entityTable } from '../../entities/entityTable.ts'
import { addAuditDetails, auditNames, auditTarget, type RequestOf, route } from '../../http/routes/route.ts'
import { isAdmin, may, owns, type Person, personOf } from '../../person.ts'
import { ApiError, timestamp, withoutEmpty } from '../../wire/apiCall.ts'
import { readFields } from '../../wire/readFields.ts'
import type { ApiTokenRow } from '../apiTokens.ts'
import type { Auth } from '../auth.ts'
import type { OnlineUsers } from '../blocking/onlineUsers.ts'
import { hashPassword } from '../passwords/password.ts'
import { isCurrentPassword } from '../proofs/proofs.ts'
import type { Session } from '../sessions/sessions.ts'
import { checkNewPassword, checkNoLookAlike, checkUsername } from '../users/users.ts'

/** For which the sign-in page is known to be the one after a sign-out. */
const signedOutSeconds = 60

/** Routes that the contract does not have: list and end one's own sessions, and sign out at the server. */
export function registerOwnSessions(app: FastifyInstance, { sessions, sessionCookies, proxies, isTls }: Auth): void {
  const own = (request: FastifyRequest) => sessions.ofUser(request.person?.id ?? 0)

  function end(request: FastifyRequest, ended: readonly Session[]): void {
    sessions.end(ended)
    addAuditDetails(request, {
      target: auditTarget(
        'session',
        ended.map(({ id }) => id),
      ),
    })
  }

  route(app, 'ownSessions', endpoints.ownSessions, (request) =>
    own(request).map((session) => ({
      id: session.id,
      created_at: timestamp(session.created),
      ...(session.address && { address: session.address }),
      ...(session.other_address && { other_address: session.other_address }),
      ...(session.user_agent && { user_agent: session.user_agent }),
      ...(session.id === request.session?.id && { current: true }),
    })),
  )
  route(app, { name: 'endSession', audit: 'session.end' }, endpoints.endSession, (request) => {
    const { id } = request.params
    const session = own(request).find((one) => one.id === id)
    if (!session) throw new ApiError(`session id ${id} does not exist`)
    end(request, [session])
  })
  route(app, { name: 'endOtherSessions', audit: 'session.end' }, endpoints.endOtherSessions, (request) => {
    end(
      request,
      own(request).filter(({ id }) => id !== request.session?.id),
    )
  })
  route(app, { name: 'logout', audit: 'session.sign-out' }, endpoints.logout, (request, reply) => {
    if (request.session) end(request, [request.session])
    sessionCookies.clear(reply)
    // The page that comes next leads on to the proxy.
    if (request.session && proxies.hasSignOut(request)) {
      reply.setCookie(signedOutCookie, '1', {
        path: consolePath,
        maxAge: signedOutSeconds,
        httpOnly: true,
        sameSite: 'lax',
        secure: isTls,
      })
    }
  })
}

interface ProfileServices {
  auth: Auth
  audit: AuditLog
  online: OnlineUsers
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

type ProfileForm = BodyOf<typeof endpoints.updateProfile>

/** `POST /profile`: name and password of one's own account. It ends all sessions of the account, this one too. */
export function registerProfileUpdate(app: FastifyInstance, services: ProfileServices): void {
  route(
    app,
    { name: 'updateProfile', audit: 'profile.update' },
    endpoints.updateProfile,
    readProfile,
    (request, reply) => update(request, reply, services),
  )
}

function readProfile(body: unknown): ProfileForm {
  const { readForm, completeForm } = compileEntity(profileUpdate)
  return completeForm(readForm(body)) as ProfileForm
}

async function update(
  request: RequestOf<typeof endpoints.updateProfile>,
  reply: FastifyReply,
  services: ProfileServices,
): Promise<void> {
  const { auth, online, now } = services
  const form = request.body
  const id = request.person?.id ?? 0
  const user = auth.users.get(id)
  if (!user || !(await isCurrentPassword(services, request, user, form.original_password))) {
    throw new ApiError('incorrect password')
  }
  validate(form, user.username, auth.bindings.canSignIn(id))
  // Hashing is slow on purpose: one at a time for each account, whatever the number of requests.
  const hash = await auth.hashQueue.run(`profile ${id}`, () => hashPassword(form.new_password, auth.passwordCost), true)
  request.judgeAgain?.()
  // Their account at a provider may have gone meanwhile.
  validate(form, user.username, auth.bindings.canSignIn(id))
  // A password is changed because somebody knows it: on a full disk too.
  auth.store.urgently(() => {
    const isTaken = auth.users.find({ username: form.new_username }).some((user) => user.id !== id)
    if (isTaken) throw new ApiError('database error')
    checkNoLookAlike(auth.users, form.new_username, user)
    auth.users.update(id, {
      username: form.new_username,
      password: hash,
      reject_password: form.reject_password,
      updated_at: timestamp(now()),
    })
    auth.sessions.revokeAll(id)
  })
  // The sign-in that follows must not wait for what others guess.
  const changed = auth.users.get(id)
  if (changed && request.session) await auth.knownBrowsers.remember(request, reply, changed, request.session.key)
  online.disconnect(({ person }) => person?.id === id)
}

/** @param username the present name: one that is older than the rules may stay @throws ApiError */
function validate(
  { new_username, new_password, reject_password }: ProfileForm,
  username: string,
  canUseOauth2: boolean,
): void {
  if (reject_password && !canUseOauth2) throw new ApiError("you don't have any oauth2 bindings")
  if (new_username !== username) checkUsername(new_username)
  checkNewPassword(new_password)
}

/** The tokens of one user: more than anybody can keep apart. */
const maxTokensPerUser = 100
/** The limits of the contract. */
const limits = { name: 128, scopes: 32, servers: 1000, days: 3650 }
const dayMs = 86_400_000

interface TokenForm {
  name: string
  scopes: string[]
  server_ids: number[]
  expires_in_days: number
}

/** The own API tokens (docs/contract/CONTRACT.md#51-account). @param now milliseconds since 1970 */
export function registerApiTokens(app: FastifyInstance, { store, apiTokens }: Auth, now: () => number): void {
  route(app, 'apiTokens', nezhaEndpoints.apiTokens, ({ person }) => apiTokens.ofUser(person?.id ?? 0).map(toWire))
  route(
    app,
    { name: 'createApiToken', audit: 'api-token.create' },
    nezhaEndpoints.createApiToken,
    readForm,
    (request) => {
      const person = personOf(request)
      const { name, scopes, server_ids, expires_in_days } = checkedForm(request.body as TokenForm, person, store)
      if (apiTokens.ofUser(person.id).length >= maxTokensPerUser) {
        throw new ApiError(`you have ${maxTokensPerUser} API tokens already: delete those that you do not need first`)
      }
      const expires_at = expires_in_days > 0 ? timestamp(now() + expires_in_days * dayMs) : ''
      const { token, secret } = apiTokens.create({ user_id: person.id, name, scopes, server_ids, expires_at })
      addAuditDetails(request, {
        target: `api-token ${token.id}`,
        detail: {
          ...auditNames([name]),
          scopes: scopes.join(' '),
          ...withoutEmpty({ expires_at, servers: server_ids.slice(0, 20).join(', ') }),
        },
      })
      return { id: token.id, name, token: secret, scopes, ...withoutEmpty({ server_ids, expires_at }) }
    },
  )
  route(app, { name: 'deleteApiToken', audit: 'api-token.delete' }, nezhaEndpoints.deleteApiToken, (request) => {
    const { id } = request.params
    const token = apiTokens.get(id)
    if (!token || !owns(request.person, token)) throw new ApiError('not found')
    addAuditDetails(request, { target: `api-token ${id}`, detail: auditNames([token.name]) })
    apiTokens.remove(id)
  })
}

const toWire = ({ id, name, scopes, created_at, ...row }: ApiTokenRow) => ({
  id,
  name,
  scopes,
  ...withoutEmpty({
    server_ids: row.server_ids,
    expires_at: row.expires_at,
    last_used_at: row.last_used_at,
    last_used_ip: row.last_used_ip,
  }),
  created_at,
})

/** @throws ApiError in the words of real servers, one line for each field */
function readForm(body: unknown): TokenForm {
  const given = readFields(body, 'APITokenCreateRequest', {
    name: { kind: 'string' },
    scopes: { kind: 'list', of: { kind: 'string' } },
    server_ids: { kind: 'list', of: { kind: 'uint64' } },
    expires_in_days: { kind: 'int' },
  })
  const { name = '', scopes, server_ids, expires_in_days = 0 } = given
  const failures = [
    ...failed('Name', name === '' ? 'required' : [...name].length > limits.name && 'max'),
    ...failed('Scopes', !scopes ? 'required' : scopes.length === 0 ? 'min' : scopes.length > limits.scopes && 'max'),
    ...failed('ServerIDs', (server_ids?.length ?? 0) > limits.servers && 'max'),
  ]
  if (failures.length > 0) throw new ApiError(failures.join('\n'))
  return { name, scopes: scopes ?? [], server_ids: server_ids ?? [], expires_in_days }
}

const failed = (field: string, tag: string | false) =>
  tag ? [`Key: 'APITokenCreateRequest.${field}' Error:Field validation for '${field}' failed on the '${tag}' tag`] : []

/** @throws ApiError */
function checkedForm({ name, scopes, server_ids, expires_in_days }: TokenForm, person: Person, store: Store) {
  const form = {
    name: name.trim(),
    scopes: [...new Set(scopes)],
    server_ids: [...new Set(server_ids)],
    expires_in_days,
  }
  if (form.name === '') throw new ApiError('name required')
  for (const scope of form.scopes) {
    const isForAdmins = adminScopes.includes(scope)
    if (!isForAdmins && !tokenScopes.includes(scope)) throw new ApiError(`unknown scope: ${scope.slice(0, 128)}`)
    if (isForAdmins && !isAdmin(person)) throw new ApiError(`only admin can issue scope: ${scope}`)
  }
  if (expires_in_days < 0) throw new ApiError('expires_in_days must be >= 0')
  if (expires_in_days > limits.days) {
    throw new ApiError(`expires_in_days too large (max ${limits.days}, i.e. 10 years)`)
  }
  const servers = entityTable(store, server)
  for (const id of form.server_ids) {
    if (id === 0) throw new ApiError('server_id 0 is invalid')
    const row = servers.get(id)
    if (!row) throw new ApiError('server not found')
    if (!may(person, 'see', row, [id])) throw new ApiError('permission denied on server')
  }
  return form
}
