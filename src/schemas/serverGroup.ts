import { z } from 'zod'
import { defineEntity, stamps } from './entity.ts'
import { name, refs } from './fields.ts'

const flat = z.looseObject({ ...stamps.shape, name: z.string(), servers: z.array(z.int()).nullish() })

/** `{ group: { id, name, ... }, servers }` on the wire, one flat record everywhere else; unknown keys travel along. */
const wrapped = z.codec(
  z.looseObject({ group: flat.omit({ servers: true }), servers: z.array(z.int()).nullish() }),
  flat,
  {
    decode: ({ group, ...outside }) => ({ ...outside, ...group }),
    encode: ({ servers, ...group }) => ({ group, servers: servers?.length ? servers : null }),
  },
)

/** Servers that an operator wants to see and choose together. */
export const serverGroup = defineEntity({
  name: 'server-group',
  form: z.object({ name: name(), servers: refs('server').default([]) }),
  // Visitors without an account get the groups that have a server they may see (CONTRACT section 4).
  access: { list: 'anyone' },
  api: { row: wrapped },
})
