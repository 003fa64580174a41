import { z } from 'zod'
import { newPassword } from './account/password.ts'
import { username } from './account/username.ts'
import { defineEntity, scopesOfAdmin } from './define/entity.ts'
import { choice, facts, moment, secret } from './define/fields.ts'

const roleNames = { 0: 'admin', 1: 'user' } as const

const looseRow = z.looseObject({})

/** Servers up to v2.1.0 leave out the role of an admin, as they do with every zero. */
const adminRole = z.codec(looseRow, looseRow, { decode: (row) => ({ role: 0, ...row }), encode: (row) => row })

/** Somebody who can sign in. There is no call that changes another person's account: it is made and deleted. */
export const user = defineEntity({
  name: 'user',
  nameField: 'username',
  scopes: scopesOfAdmin,
  form: z.object({
    username: username(),
    // Always sent: servers take a left-out role for an admin's.
    role: choice(roleNames).default(1),
    password: newPassword().register(facts, { kind: 'secret' }),
  }),
  computed: z.object({
    agent_secret: secret().optional(),
    reject_password: z.boolean().register(facts, { recorded: true }).optional(),
    /** Whether an administrator keeps them from signing in. Embedded server only. */
    disabled: z.boolean().register(facts, { recorded: true }).optional(),
    /** When a session of theirs began or was renewed. Embedded server only. */
    last_seen_at: moment().optional(),
    /** Whether they have set one up. Embedded server only. */
    second_factor: z.boolean().optional(),
  }),
  access: { list: 'admin', create: 'admin', delete: 'admin' },
  api: { verbs: ['create', 'delete'], row: adminRole, leadsTo: { create: 'access', delete: 'access' } },
})
