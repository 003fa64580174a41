import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'

/** Users with what they own. */
export const userRecordEndpoints = {
  /** How many records a user owns, by entity. The next two: only where `GET /setting` says `wheelhouse.user_records`. */
  userRecords: endpoint('GET', 'wheelhouse/users/:id/records', {
    scopes: ['nezha:admin:*'],
    reply: z.record(z.string(), z.int()).default({}),
    access: 'admin',
  }),
  /** Deletes users; `records` says what becomes of what they own, which is moved to the user `to`. */
  deleteUsers: endpoint('POST', 'wheelhouse/users/delete', {
    scopes: ['nezha:admin:*'],
    body: z.object({
      ids: z.array(z.int().min(1)).min(1).max(1000),
      records: z.enum(['delete', 'move']),
      to: z.int().min(1).optional(),
    }),
    access: 'admin',
    leadsTo: 'access',
  }),
} as const
