import { z } from 'zod'
import { defineEntity, scopesOfAdmin } from './define/entity.ts'
import { moment } from './define/fields.ts'

/** Somebody who has the console or the visitor page open: one row for each connection, so one person may have two. */
export const onlineUser = defineEntity({
  name: 'online-user',
  nameField: 'ip',
  scopes: scopesOfAdmin,
  form: z.object({}),
  computed: z.object({
    ip: z.string(),
    /** Absent for visitors without an account. */
    user_id: z.int().optional(),
    connected_at: moment(),
  }),
  id: ['ip', 'connected_at'],
  access: { list: 'admin' },
  api: { membersOfOldServers: true, paging: 'window', verbs: [], batchKey: 'ip' },
})
