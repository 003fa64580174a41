import { z } from 'zod'
import { defineEntity } from './define/entity.ts'
import { name, refs } from './define/fields.ts'
import { memberGroup } from './define/memberGroup.ts'
import { ofTeam } from './define/team.ts'

/** Servers that an operator wants to see and choose together. */
export const serverGroup = defineEntity({
  name: 'server-group',
  scopes: {
    list: 'nezha:inventory:read',
    create: 'nezha:server:write',
    update: 'nezha:server:write',
    delete: 'nezha:inventory:delete',
  },
  form: z.object({ name: name(), servers: refs('server').default([]), ...ofTeam() }),
  computed: z.object({
    /** Whether the person who asks may only look at it. Embedded server only. */
    read_only: z.boolean().optional(),
  }),
  // Visitors without an account get the groups that have a server they may see
  // (docs/contract/CONTRACT.md#4-who-may-call-what).
  access: { list: 'visitor' },
  api: { row: memberGroup('servers'), members: 'servers' },
})
