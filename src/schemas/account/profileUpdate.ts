import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { facts, flag } from '../define/fields.ts'
import { newPassword } from './password.ts'
import { username } from './username.ts'

/**
 * `POST /profile`. Servers replace all fields, so none may be missing. It ends all sessions of the account.
 *
 * Not in the index of entities, because only its form is used.
 */
export const profileUpdate = defineEntity({
  name: 'profile',
  form: z.object({
    original_password: z.string().min(5).max(72).register(facts, { kind: 'secret' }),
    // Servers store a name of one character, but refuse it at sign-in: the user would be locked out.
    new_username: username(),
    new_password: newPassword().register(facts, { kind: 'secret' }),
    /** Only OAuth2 can be used to sign in then. */
    reject_password: flag().optional(),
  }),
  api: { verbs: [] },
})
