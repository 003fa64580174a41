import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { moment, refs } from '../define/fields.ts'

/** Areas to which a token can be limited, and the permitted actions (docs/contract/CONTRACT.md#51-account). */
const readWriteDelete = ['read', 'write', 'delete'] as const
const scopeAreas: Readonly<Record<string, readonly string[]>> = {
  inventory: ['read', 'delete'],
  server: [...readWriteDelete, 'exec'],
  service: readWriteDelete,
  alertrule: readWriteDelete,
  cron: [...readWriteDelete, 'exec'],
  ddns: readWriteDelete,
  nat: readWriteDelete,
  notification: readWriteDelete,
  'notification-group': readWriteDelete,
  transfer: readWriteDelete,
}

/** `nezha:<area>:<verb>`, with the verb `*` for a whole area. */
export const tokenScopes: readonly string[] = Object.entries(scopeAreas).flatMap(([area, verbs]) =>
  [...verbs, '*'].map((verb) => `nezha:${area}:${verb}`),
)
/** Only administrators may create tokens with these. */
export const adminScopes: readonly string[] = ['nezha:admin:*', 'nezha:*']

/** One of the user's own API tokens. The secret itself is only in the reply to its creation. */
export const apiToken = z.looseObject({
  id: z.int(),
  name: z.string().default(''),
  scopes: z.array(z.string()).nullish(),
  server_ids: z.array(z.int()).nullish(),
  expires_at: moment().nullish(),
  last_used_at: moment().nullish(),
  last_used_ip: z.string().nullish(),
  created_at: moment().optional(),
})
export type ApiToken = z.output<typeof apiToken>

/** `POST /api-tokens`. Not in the index of entities, because only its form is used. */
export const newApiToken = defineEntity({
  name: 'api-token',
  form: z.object({
    name: z.string().trim().min(1).max(128),
    scopes: z.array(z.string()).min(1).max(32),
    /** Empty: all servers that the owner may see. */
    server_ids: refs('server').max(1000).default([]),
    /** 0: never. */
    expires_in_days: z.int().min(0).max(3650).default(30),
  }),
  api: { verbs: [] },
})

export const createdApiToken = z.looseObject({ id: z.int(), name: z.string(), token: z.string() })
