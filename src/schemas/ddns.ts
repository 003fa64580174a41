import { z } from 'zod'
import { bodyLimits } from './define/endpoint.ts'
import { defineEntity, scopesOfArea } from './define/entity.ts'
import { choice, clearSecrets, facts, flag, limits, multiline, name, secret } from './define/fields.ts'
import { ofTeam } from './define/team.ts'
import { addressOrigin } from './formats/addressOrigin.ts'
import { requestTypes } from './formats/requestTypes.ts'
import { isStringMap } from './formats/stringMap.ts'

const label = /^[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?$/u
const maxLabelLength = 63
const maxDomainLength = 253

/** Whether a text is a valid domain name, in any script; `*.example.org` means all names below `example.org`. */
export function isDomain(text: string): boolean {
  const labels = text.replace(/^\*\./, '').replace(/\.$/, '').split('.')
  return text.length <= maxDomainLength && labels.every((part) => part.length <= maxLabelLength && label.test(part))
}

export const webhookMethods = { 1: 'get', 2: 'post', 3: 'patch', 4: 'delete', 5: 'put' } as const

/** The providers that all servers offer; a server may list more (`endpoints.ddnsProviders`). */
export const knownProviders = ['dummy', 'webhook', 'cloudflare', 'tencentcloud', 'he'] as const

const domains = z
  .array(z.string().max(limits.host))
  .max(limits.hosts)
  .superRefine((list, context) => {
    const wrong = list.find((domain) => !isDomain(domain))
    if (wrong !== undefined) context.addIssue({ code: 'custom', params: { key: 'validation.domain', domain: wrong } })
  })

/** How the addresses of a server reach its domain names. Servers hide both secrets in their replies. */
export const ddns = defineEntity({
  name: 'ddns',
  scopes: scopesOfArea('ddns'),
  api: { bodyLimit: bodyLimits.largeForm },
  // The address of a webhook may be stored with other providers too, which send nothing there.
  destination: ({ provider, webhook_url }) => ({
    address: provider === 'webhook' ? `webhook ${addressOrigin(String(webhook_url ?? ''))}` : String(provider ?? ''),
  }),
  form: z
    .object({
      name: name(),
      provider: z.string().min(1).max(limits.shortText).default('dummy'),
      domains: domains.default([]),
      max_retries: z.int().min(1).max(10).default(3),
      enable_ipv4: flag(),
      enable_ipv6: flag(),
      access_id: z.string().max(limits.shortText).optional(),
      access_secret: secret().optional(),
      webhook_url: z
        .url({ protocol: /^https?$/ })
        .max(limits.url)
        .or(z.literal(''))
        .optional(),
      webhook_method: choice(webhookMethods).default(1).optional(),
      webhook_request_type: choice(requestTypes).default(1).optional(),
      webhook_request_body: multiline(limits.body).optional(),
      webhook_headers: secret(limits.headers)
        .refine((text) => text.trim() === '' || isStringMap(text), { params: { key: 'validation.text_pairs' } })
        .register(facts, { kind: 'secret' })
        .optional(),
      ...ofTeam(),
      clear_secrets: clearSecrets('access_secret', 'webhook_headers'),
    })
    .superRefine(({ provider, webhook_url, webhook_method }, context) => {
      if (provider !== 'webhook') return
      const missing = (field: string, key: string) =>
        context.addIssue({ code: 'custom', path: [field], params: { key, validatedWith: ['provider'] } })
      if (!webhook_url) missing('webhook_url', 'validation.required')
      if (!webhook_method) missing('webhook_method', 'validation.choice')
    }),
})
