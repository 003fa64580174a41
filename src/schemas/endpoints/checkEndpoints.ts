import { z } from 'zod'
import { bodyLimits, endpoint } from '../define/endpoint.ts'
import { limits } from '../define/fields.ts'
import { checkPhases } from './serviceHistory.ts'

/** What a check can say; `not_permitted`: the machine could not make it. */
export const checkStates = ['up', 'down', 'degraded', 'not_permitted'] as const

/** Why a check is not up: the key of a text (`app.checks.reasons.<key>`), and its values. */
export interface CheckReason {
  key: string
  values: Readonly<Record<string, string | number>>
}

/** What was asked of the answer, by the name of the field that asks it, and whether it was so. */
const checkRule = z.object({
  rule: z.string(),
  ok: z.boolean(),
  expected: z.string(),
  /** What was there in its place; absent where there was nothing. */
  found: z.string().optional(),
})
export type CheckRule = z.output<typeof checkRule>

/** A check that was tried. */
const checkTry = z.object({
  state: z.enum(checkStates),
  /** The key of a text, `''` for a check that is up. */
  reason: z.string().default(''),
  reason_values: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  phases: checkPhases.default({}),
  /** A status code of the protocol. */
  code: z.int().optional(),
  /** What was asked, and where redirects led to, without the secrets of the check; of HTTP. */
  request: z.string().optional(),
  /** The beginning of the answer, without the secrets of the check. */
  answer: z.string().optional(),
  /** The certificate; RFC 3339. */
  certificate: z.object({ issuer: z.string(), expires_at: z.string() }).optional(),
  rules: z.array(checkRule).default([]),
})
export type CheckTry = z.output<typeof checkTry>

/** A service as its form has it, to be checked once. */
const checkTryRequest = z.looseObject({
  /** The stored service, whose secrets stand in for those that are empty here. */
  id: z.int().min(1).optional(),
  /** The server from which it is checked. */
  server_id: z.int().min(1).optional(),
  type: z.int().default(1),
  target: z.string().max(limits.url),
  /** As in the service. */
  check: z.unknown().optional(),
  /** Milliseconds; 0 is no bound. */
  min_latency: z.number().min(0).default(0),
  max_latency: z.number().min(0).default(0),
})

/** The calls about the checks of services. Only where `GET /setting` says `wheelhouse.checks`. */
export const checkEndpoints = {
  /**
   * Checks a service once, stored or not, and saves nothing. The body is the service as its form has it. Only where
   * `GET /setting` says `wheelhouse.checks`.
   */
  tryCheck: endpoint('POST', 'wheelhouse/checks/try', {
    scopes: ['nezha:service:write'],
    keepsToServers: true,
    body: checkTryRequest,
    reply: checkTry,
    bodyLimit: bodyLimits.largeForm,
  }),
  /** Gives the job that reports to a service another address; the one before ends. Only with `wheelhouse.checks`. */
  renewPush: endpoint('POST', 'wheelhouse/checks/:id/renew', {
    scopes: ['nezha:service:write'],
    keepsToServers: true,
    reply: z.object({ push_path: z.string() }),
    leadsTo: 'secret',
  }),
} as const
