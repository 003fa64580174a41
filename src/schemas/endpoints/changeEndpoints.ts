import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'

/** A field that was changed. */
const changedField = z.looseObject({
  /** As in the entity; `user_id` is the owner. */
  name: z.string(),
  /** Absent when the record was created. */
  from: z.unknown().optional(),
  /** Absent when the record was deleted. */
  to: z.unknown().optional(),
  /** It is a hidden field: neither value is included. */
  secret: z.boolean().optional(),
  /** A value is too long to be stored: both are cut, as text. */
  cut: z.boolean().optional(),
})
export type ChangedField = z.output<typeof changedField>

/** What was changed in a record at one time. Embedded server only (docs/decisions/change-history.md). */
const change = z.looseObject({
  /** Grows with time. */
  id: z.int(),
  /** RFC 3339. */
  at: z.string(),
  entity: z.string(),
  record_id: z.int(),
  /** What the record was called after the change, or before its deletion. */
  record_name: z.string().default(''),
  /** `created`, `updated` or `deleted`. */
  action: z.string(),
  /** Who did it; absent for agents, commands and the server itself. The name is that of the time. */
  user_id: z.int().default(0),
  username: z.string().default(''),
  /** The address of the client; members get it for their own changes only. */
  address: z.string().optional(),
  fields: z
    .array(changedField)
    .nullish()
    .transform((fields) => fields ?? []),
})
export type Change = z.output<typeof change>

/** One page of changes, as lists of the contract are paged (docs/contract/CONTRACT.md#512-waf-and-online-users). */
const changePage = z.looseObject({
  value: z
    .array(change)
    .nullish()
    .transform((changes) => changes ?? []),
  pagination: z.looseObject({ offset: z.int().default(0), limit: z.int().default(0), total: z.int().default(0) }),
})

/** Under which `record_id` the changes of the settings are: there is only one record of them. */
export const settingsRecordId = 1

/** Only where `GET /setting` says `wheelhouse.changes`. Apart from the other calls: no list waits for their schemas. */
export const changeEndpoints = {
  /**
   * Who changed what, the latest first: administrators are shown everything, others the changes of records that were
   * theirs. `after` is the id of a change: only later ones that others have made, out of the latest 1,000.
   */
  changes: endpoint('GET', 'changes', {
    scopes: ['nezha:admin:*'],
    query: z.object({
      entity: z.string().optional(),
      /** Of a record; needs `entity`. */
      id: z.int().optional(),
      after: z.int().min(0).optional(),
      offset: z.int().min(0).optional(),
      limit: z.int().min(1).max(1000).optional(),
    }),
    reply: changePage,
  }),
} as const
