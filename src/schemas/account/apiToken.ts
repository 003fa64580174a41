import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { moment, refs } from '../define/fields.ts'

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
