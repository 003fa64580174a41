import { z } from 'zod'
import { defineEntity } from './entity.ts'
import { choice, facts, secret } from './fields.ts'
import { newPassword } from './password.ts'

const roleNames = { 0: 'admin', 1: 'user' } as const

/** Somebody who can sign in. There is no call that changes another person's account: it is made and deleted. */
export const user = defineEntity({
  name: 'user',
  form: z.object({
    username: z.string().trim().min(1),
    // Always sent: servers take a left-out role for an admin's.
    role: choice(roleNames).default(1),
    password: newPassword().register(facts, { kind: 'secret' }),
  }),
  computed: z.object({ agent_secret: secret().optional(), reject_password: z.boolean().optional() }),
  access: { list: 'admin', create: 'admin', delete: 'admin' },
  api: { verbs: ['create', 'delete'] },
})
