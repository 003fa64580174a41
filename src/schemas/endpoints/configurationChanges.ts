import { z } from 'zod'
import { limits } from '../define/limits.ts'

/**
 * So many take seconds, in which others see some of them. Larger files are applied in parts, or with `wheelhouse apply` on
 * the data folder while no server runs.
 */
const maxChanges = 10_000

const text = z.string().max(limits.shortText)

/** What becomes of one record, with names in place of ids, as a configuration file has them. */
const recordChange = z.object({
  verb: z.enum(['create', 'update', 'delete']),
  /** The name of its entity. */
  entity: text,
  /** Its name afterwards. */
  name: text,
  /** Left out for a new record. */
  id: z.int().min(1).optional(),
  fields: z
    .array(z.object({ field: text, before: z.unknown().optional(), after: z.unknown() }))
    .max(200)
    .default([]),
  /** The secrets to be saved, by field; their value in `fields` is `kept`. */
  secrets: z.record(text, z.string().max(limits.body)).optional(),
})

/** Changes of several records, in an order that keeps references whole. */
export const configurationChanges = z.object({
  changes: z
    .array(recordChange)
    .max(maxChanges, `a plan has at most ${maxChanges} changes: apply the file in parts, or to the data folder`),
})

/** Names of concealed fields that hold a value, by entity and id. */
export const storedSecrets = z.record(z.string(), z.record(z.string(), z.array(z.string())))
