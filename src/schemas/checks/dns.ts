import { z } from 'zod'
import { limits } from '../define/limits.ts'
import { checkLimits, defineCheck, optionalHostPort } from './checkKind.ts'

export const dnsRecords = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SRV', 'CAA', 'SOA', 'PTR'] as const
export const dnsMatches = ['all', 'any'] as const

/** What a name server says of a name. */
export const dnsCheck = defineCheck({
  target: 'host',
  type: 3,
  secrets: [],
  schema: z.object({
    kind: z.literal('dns'),
    record: z.enum(dnsRecords).default('A'),
    /** `host:port` of a name server. Empty: the first one of this server. */
    resolver: optionalHostPort(),
    /** Values that must be among the answers: all, or any of them. Without any, there must be an answer. */
    expected: z.array(z.string().trim().min(1).max(limits.shortText)).max(checkLimits.entries).default([]),
    match: z.enum(dnsMatches).default('all'),
  }),
})
