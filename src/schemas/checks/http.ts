import { z } from 'zod'
import { limits } from '../define/fields.ts'
import { parseJsonPath } from '../formats/jsonPath.ts'
import { parseCodes } from '../formats/statusCodes.ts'
import { checkLimits, defineCheck, headerMap, innerSecret, optionalText, pem } from './checkKind.ts'

export const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export const bodyTypes = ['text', 'json', 'form'] as const
export const jsonOperators = ['==', '!=', '<', '>', 'contains', 'exists'] as const
export const httpVersions = ['auto', '1.1', '2'] as const

const auth = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('basic'), user: z.string().max(limits.shortText), password: innerSecret() }),
  z.object({ kind: z.literal('bearer'), token: innerSecret() }),
  z.object({ kind: z.literal('certificate'), cert: pem(), key: innerSecret(checkLimits.certificate) }),
])

/** Rules about values, and characters of each value. */
const [maxRules, maxValue] = [20, 1024]

/** A value in a JSON answer. `value` is compared as a number where both are; `exists` needs none. */
const jsonRule = z.object({
  path: z
    .string()
    .min(1)
    .max(limits.shortText)
    .refine((path) => path === '' || parseJsonPath(path) !== undefined, { params: { key: 'validation.json_path' } }),
  op: z.enum(jsonOperators),
  value: z.union([z.string().max(maxValue), z.number(), z.boolean(), z.null()]).default(''),
})

/** A request by HTTP, and what its answer must be. */
export const httpCheck = defineCheck({
  target: 'url',
  type: 1,
  secrets: [['headers', '*'], ['body'], ['auth', 'password'], ['auth', 'token'], ['auth', 'key']],
  schema: z.object({
    kind: z.literal('http'),
    method: z.enum(httpMethods).default('GET'),
    headers: headerMap(),
    body: innerSecret(checkLimits.sent),
    body_type: z.enum(bodyTypes).default('text'),
    auth: auth.nullable().default(null),
    /** Codes that are accepted, as `200-299,401`. Empty: 200 to 399. */
    codes: optionalText(limits.shortText).refine((text) => parseCodes(text) !== undefined, {
      params: { key: 'validation.status_codes' },
    }),
    /** Text that the answer must have, and must not have. */
    contains: optionalText(checkLimits.expected),
    absent: optionalText(checkLimits.expected),
    /** A regular expression (RE2) that must be found in the answer. */
    pattern: optionalText(limits.shortText),
    json: z.array(jsonRule).max(maxRules).default([]),
    /** Headers that the answer must have; an empty value is any. */
    answer_headers: headerMap(),
    max_redirects: z.int().min(0).max(10).default(10),
    verify_tls: z.boolean().default(true),
    /** Authorities in PEM that are trusted in place of the usual ones. */
    ca: pem(),
    http_version: z.enum(httpVersions).default('auto'),
    /** `http://host:port` of a proxy. */
    proxy: z
      .string()
      .trim()
      .max(limits.url)
      .refine((text) => text === '' || /^http:\/\/[^/@?#\s]+\/?$/.test(text), {
        params: { key: 'validation.http_proxy' },
      })
      .default(''),
  }),
})
