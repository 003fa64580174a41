import { z } from 'zod'
import { name } from './fields.ts'
import { limits } from './limits.ts'

/**
 * What a further role lets somebody do on the servers of its scope. Embedded server only.
 *
 * - `see`: the servers, their metrics, the services on them, their alarms and incidents
 * - `act`: what changes a machine or a message, and no record: terminal, files, running tasks, mutes, acknowledgements
 * - `configure`: the records of the servers and the settings of their agents
 * - `secrets`: what only the owner of a server sees: private note, UUID, contract, DDNS settings, what it depends on
 * - `people`: giving and taking what one has oneself
 */
export const rights = ['see', 'act', 'configure', 'secrets', 'people'] as const
export type Right = (typeof rights)[number]

/** The roles that are always there, by name. For all servers, `administrator` is the role 0 of the wire. */
export const builtInRoles = {
  viewer: ['see'],
  operator: ['see', 'act'],
  administrator: rights,
} as const satisfies Record<string, readonly Right[]>

/** How many own roles there may be, and how many further roles a person. */
export const roleLimits = { own: 100, ofPerson: 50 } as const

/** A built-in role by its name, or an own one by its id. */
export const roleId = z.union([z.enum(['viewer', 'operator', 'administrator']), z.int().min(1)])
export type RoleId = z.output<typeof roleId>

/** Each once, whatever was sent. */
const ids = z
  .array(z.int().min(1))
  .max(limits.ids)
  .transform((given) => [...new Set(given)])

/** A role of a person, and where they have it: on all servers, or on those named and those of the groups. */
export const roleAssignment = z.object({
  role: roleId,
  scope: z.union([
    z.literal('all'),
    z
      .object({ groups: ids.default([]), servers: ids.default([]) })
      .refine(({ groups, servers }) => groups.length + servers.length > 0, 'name a server or a group'),
  ]),
})
export type RoleAssignment = z.output<typeof roleAssignment>

/** An own role as people make it. Who has any right sees as well. */
export const roleForm = z.object({
  name: name(),
  rights: z.array(z.enum(rights)).min(1).max(rights.length),
})

/** Whether it is the role that the wire knows as 0. */
export const isWholeAdministrator = ({ role, scope }: { role: RoleId; scope: unknown }): boolean =>
  role === 'administrator' && scope === 'all'
