import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { moment, refs } from '../define/fields.ts'

/** Areas that a token may be limited to, and what it may do there (docs/contract/CONTRACT.md#51-account). */
const plain = ['read', 'write', 'delete'] as const
const scopeAreas: Readonly<Record<string, readonly string[]>> = {
  inventory: ['read', 'delete'],
  server: [...plain, 'exec'],
  service: plain,
  alertrule: plain,
  cron: [...plain, 'exec'],
  ddns: plain,
  nat: plain,
  notification: plain,
  'notification-group': plain,
  transfer: plain,
}

/** `nezha:server:read`, one of everything in an area, and what only administrators may give away. */
export const tokenScopes: readonly string[] = Object.entries(scopeAreas).flatMap(([area, verbs]) =>
  [...verbs, '*'].map((verb) => `nezha:${area}:${verb}`),
)
export const adminScopes: readonly string[] = ['nezha:admin:*', 'nezha:*']

/** A token of one's own. What it opens doors with is told once, when it is made. */
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

/** `POST /api-tokens`. It is no list of the engine and so in no index: only its form is used. */
export const newApiToken = defineEntity({
  name: 'api-token',
  form: z.object({
    name: z.string().trim().min(1).max(128),
    scopes: z.array(z.string()).min(1).max(32),
    /** None: all servers that the owner sees. */
    server_ids: refs('server').max(1000).default([]),
    /** 0: it never expires. */
    expires_in_days: z.int().min(0).max(3650).default(30),
  }),
  api: { verbs: [] },
})

export const createdApiToken = z.looseObject({ id: z.int(), name: z.string(), token: z.string() })
