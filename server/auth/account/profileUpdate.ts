import type { FastifyInstance } from 'fastify'
import { profileUpdate } from '../../../src/schemas/account/profileUpdate.ts'
import type { BodyOf } from '../../../src/schemas/define/endpoint.ts'
import { endpoints } from '../../../src/schemas/endpoints/index.ts'
import { compileEntity } from '../../entities/compileEntity.ts'
import { type RequestOf, route } from '../../http/routes/route.ts'
import { ApiError } from '../../wire/apiError.ts'
import { timestamp } from '../../wire/timestamp.ts'
import type { Auth } from '../auth.ts'
import type { OnlineUsers } from '../blocking/onlineUsers.ts'
import { hashPassword, verifyPassword } from '../passwords/password.ts'

interface ProfileServices {
  auth: Auth
  online: OnlineUsers
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

type ProfileForm = BodyOf<typeof endpoints.updateProfile>

/** Bytes. */
const maxPasswordBytes = 72

/** `POST /profile`: name and password of one's own account. It ends all sessions of the account, this one too. */
export function registerProfileUpdate(app: FastifyInstance, services: ProfileServices): void {
  route(app, 'updateProfile', endpoints.updateProfile, readProfile, (request) => update(request, services))
}

function readProfile(body: unknown): ProfileForm {
  const { readForm, completeForm } = compileEntity(profileUpdate)
  return completeForm(readForm(body)) as ProfileForm
}

async function update(
  request: RequestOf<typeof endpoints.updateProfile>,
  { auth, online, now }: ProfileServices,
): Promise<void> {
  const form = request.body
  const id = request.person?.id ?? 0
  // Hashing is slow on purpose: one at a time for each account, whatever the number of requests.
  const rehash = async () => {
    const user = auth.users.get(id)
    if (!user || !(await verifyPassword(form.original_password, user.password)))
      throw new ApiError('incorrect password')
    validate(form, auth.bindings.canSignIn(id))
    return hashPassword(form.new_password)
  }
  const hash = await auth.hashQueue.run(`profile ${id}`, rehash, true)
  auth.store.transaction(() => {
    const isTaken = auth.users.find({ username: form.new_username }).some((user) => user.id !== id)
    if (isTaken) throw new ApiError('database error')
    auth.users.update(id, {
      username: form.new_username,
      password: hash,
      reject_password: form.reject_password,
      updated_at: timestamp(now()),
    })
    auth.sessions.revokeAll(id)
  })
  online.disconnect(({ person }) => person?.id === id)
}

/** @throws ApiError in the contract's words, and for an empty name or password, with which nobody can sign in */
function validate({ new_username, new_password, reject_password }: ProfileForm, canUseOauth2: boolean): void {
  if (reject_password && !canUseOauth2) throw new ApiError("you don't have any oauth2 bindings")
  if (new_username === '') throw new ApiError("username can't be empty")
  if (new_password === '') throw new ApiError("password can't be empty")
  if (Buffer.byteLength(new_password) > maxPasswordBytes) {
    throw new ApiError(`bcrypt: password length exceeds ${maxPasswordBytes} bytes`)
  }
}
