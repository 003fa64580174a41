import { z } from 'zod'
import { defineEntity } from './entity.ts'
import { choice, flag, multiline, name, secret } from './fields.ts'
import { requestTypes } from './requestTypes.ts'

export const webhookMethods = { 1: 'get', 2: 'post', 3: 'patch', 4: 'delete', 5: 'put' } as const

/** How the addresses of a server reach its domain names. Servers hide both secrets in their replies. */
export const ddns = defineEntity({
  name: 'ddns',
  form: z.object({
    name: name(),
    provider: z.string().default('dummy'),
    domains: z.array(z.string()).default([]),
    max_retries: z.int().min(1).max(10).default(3),
    enable_ipv4: flag(),
    enable_ipv6: flag(),
    access_id: z.string().optional(),
    access_secret: secret().optional(),
    webhook_url: z
      .url({ protocol: /^https?$/ })
      .or(z.literal(''))
      .optional(),
    webhook_method: choice(webhookMethods).optional(),
    webhook_request_type: choice(requestTypes).optional(),
    webhook_request_body: multiline().optional(),
    webhook_headers: secret().optional(),
  }),
})
