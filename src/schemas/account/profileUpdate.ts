import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { facts, flag } from '../define/fields.ts'
import { newPassword } from './password.ts'

/**
 * `POST /profile`. Servers write all of it, whatever was left out, so nothing may be left out. It ends every session
 * of the account.
 *
 * It is no list of records and so in no index: only its form is used.
 */
export const profileUpdate = defineEntity({
  name: 'profile',
  form: z.object({
    original_password: z.string().min(5).max(72).register(facts, { kind: 'secret' }),
    // A name of one character is stored, but no sign-in form takes it: its owner would be locked out.
    new_username: z
      .string()
      .trim()
      .min(1)
      .max(32)
      .refine((text) => text.length !== 1, { params: { key: 'validation.name_of_one' } }),
    new_password: newPassword().register(facts, { kind: 'secret' }),
    /** From then on only OAuth2 signs in. */
    reject_password: flag().optional(),
  }),
  api: { verbs: [] },
})
