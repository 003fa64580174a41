import { z } from 'zod'
import { bodyLimits } from './define/endpoint.ts'
import { defineEntity, scopesOfAdmin } from './define/entity.ts'
import { name, refs } from './define/fields.ts'

/** Servers that members may see although they belong to somebody else. Embedded server only. */
export const serverShare = defineEntity({
  name: 'server-share',
  scopes: scopesOfAdmin,
  form: z.object({
    name: name(),
    users: refs('user').default([]),
    servers: refs('server').default([]),
    /** All servers of these groups, those that join later too. */
    server_groups: refs('server-group').default([]),
  }),
  // Refers to users, who are not in the configuration file.
  configuration: false,
  access: { list: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
  api: {
    path: 'wheelhouse/server-shares',
    announced: 'server_shares',
    bodyLimit: bodyLimits.largeForm,
    leadsTo: { create: 'access', update: 'access' },
  },
})
