import type { FastifyInstance, FastifyReply } from 'fastify'
import { profileUpdate } from '../../../src/schemas/account/profileUpdate.ts'
import type { BodyOf } from '../../../src/schemas/define/endpoint.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { compileEntity } from '../../entities/compileEntity.ts'
import { type RequestOf, route } from '../../http/routes/route.ts'
import { ApiError } from '../../wire/apiError.ts'
import { timestamp } from '../../wire/timestamp.ts'
import type { Auth } from '../auth.ts'
import type { OnlineUsers } from '../blocking/onlineUsers.ts'
import { hashPassword } from '../passwords/password.ts'
import { isCurrentPassword } from '../proofs/currentPassword.ts'
import { checkNewPassword, checkNoLookAlike, checkUsername } from '../users/credentialRules.ts'

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
