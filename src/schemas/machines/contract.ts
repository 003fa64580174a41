import { z } from 'zod'
import { facts, limits, line, moment, multiline } from '../define/fields.ts'
import { timeZone } from '../formats/time.ts'

/** How often a price is paid. */
export const contractCycles = ['month', 'quarter', 'half', 'year', 'two', 'three', 'five', 'once'] as const
export type ContractCycle = (typeof contractCycles)[number]

/** What counts against a quota: bytes received, sent, both, or those of the two that are more. */
export const quotaCounts = ['in', 'out', 'sum', 'larger'] as const

/** Of one payment: more than any server costs, in any currency. */
export const maxPrice = 1e12
/** Characters of a note beside a price: what a contract says stands elsewhere. */
const maxNote = 4_096

/** A code of ISO 4217, or empty. */
export const currency = z
  .string()
  .trim()
  .refine((code) => code === '' || /^[A-Z]{3}$/.test(code), { params: { key: 'validation.currency' } })

/** What a server costs, until when, and how many bytes it may transfer. Embedded server only. */
export const contract = z
  .object({
    price: z.number().min(0).max(maxPrice).default(0),
    currency: currency.default(''),
    cycle: z.enum(contractCycles).default('month'),
    /** Empty: it has no end. */
    ends_at: z.union([moment(), z.literal('')]).default(''),
    /** Whether it goes on for another cycle at its end. */
    renews: z.boolean().default(false),
    /** Bytes in a period; 0: there is no limit. */
    quota_bytes: z.int().min(0).default(0),
    quota_counts: z.enum(quotaCounts).default('sum'),
    /** The day of the month on which a period of traffic begins, at midnight: the last one of a shorter month. */
    resets_on: z.int().min(1).max(31).default(1),
    /** Where that midnight is. */
    zone: timeZone(),
    provider: line(limits.name).default(''),
    note: multiline(maxNote).default(''),
    /** See `formerPrices`, which no first list waits for. Left out by programs that do not know it. */
    former_prices: z.array(z.unknown()).optional(),
  })
  .register(facts, {
    kind: 'json',
    newer: true,
    announced: 'contracts',
    leftOut: 'kept',
    maxLength: limits.body,
  })

export type Contract = z.output<typeof contract>
