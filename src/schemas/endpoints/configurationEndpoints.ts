import { z } from 'zod'
import { bodyLimits, endpoint } from '../define/endpoint.ts'
import { limits } from '../define/fields.ts'

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
const configurationChanges = z.object({
  changes: z
    .array(recordChange)
    .max(maxChanges, `a plan has at most ${maxChanges} changes: apply the file in parts, or to the data folder`),
})

/** Names of concealed fields that hold a value, by entity and id. */
export const storedSecrets = z.record(z.string(), z.record(z.string(), z.array(z.string())))

/** Names of records by entity and id. */
export const configurationNames = z.record(z.string(), z.record(z.string(), z.string()))

/** The calls that carry a configuration file. */
export const configurationEndpoints = {
  /**
   * Carries out all changes of a plan, or none of them. Only where `GET /setting` says `wheelhouse.configuration`.
   * Notifiers send no test message.
   */
  applyConfiguration: endpoint('POST', 'wheelhouse/configuration', {
    scopes: ['nezha:admin:*'],
    body: configurationChanges,
    access: 'admin',
    bodyLimit: bodyLimits.configuration,
    leadsTo: 'command',
  }),
  /**
   * Which concealed fields of records hold a value, never the value: by entity and id, for records that somebody may
   * change. Records without such a value are left out. Only where `GET /setting` says `wheelhouse.stored_secrets`.
   */
  storedSecrets: endpoint('GET', 'wheelhouse/stored-secrets', {
    scopes: ['nezha:admin:*'],
    reply: storedSecrets,
  }),
  /**
   * The names of records that a configuration file mentions and does not have, such as the people of rotas: by entity
   * and id, of those that somebody may name. Only where `GET /setting` says `wheelhouse.escalations`.
   */
  configurationNames: endpoint('GET', 'wheelhouse/configuration/names', {
    scopes: ['nezha:admin:*'],
    reply: configurationNames,
  }),
} as const
