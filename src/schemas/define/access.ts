import { z } from 'zod'
import { limits, name } from './fields.ts'

/** Roles as the wire numbers them (docs/contract/CONTRACT.md#6-enumerations): 0 is an admin, 1 a member. */
export const roles = { admin: 0, user: 1 } as const

/** A role as it stands in a profile; servers up to v2.1.0 leave it out for admins. */
export type Role = number

/**
 * Who may use a verb or an endpoint: an admin, any signed-in person, visitors of the status page, or everybody. A server
 * started with `FORCE_AUTH` wants visitors to sign in; everybody includes those who have not done so yet.
 */
export type Rule = 'admin' | 'user' | 'visitor' | 'anyone'

/**
 * Says whether somebody may do what a rule guards. Screens ask it to hide, the server asks it to refuse.
 * @param role the person's role, or `undefined` when nobody is signed in
 */
export function allows(role: Role | undefined, rule: Rule): boolean {
  if (rule === 'anyone' || rule === 'visitor') return true
  if (role === undefined) return false
  return rule === 'user' || role === roles.admin
}

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

/** Whether the person who asked for a record may only look at it, as with a server that somebody shares with them. */
export const isReadOnly = (record: object): boolean => 'read_only' in record && record.read_only === true

/**
 * Whether the person who asked for a record may do something with it: it is not read-only, or a role of theirs has the
 * right. The one place that decides what screens offer; the server decides again.
 * @param right left out: what only its owner may
 */
export const mayOn = (record: object, right?: Right): boolean =>
  !isReadOnly(record) || ('rights' in record && Array.isArray(record.rights) && record.rights.includes(right))

const readWriteDelete = ['read', 'write', 'delete'] as const

/** Areas to which an API token can be limited, and the permitted actions (docs/contract/CONTRACT.md#51-account). */
const areas = {
  inventory: ['read', 'delete'],
  server: [...readWriteDelete, 'exec'],
  service: readWriteDelete,
  alertrule: readWriteDelete,
  cron: [...readWriteDelete, 'exec'],
  ddns: readWriteDelete,
  nat: readWriteDelete,
  notification: readWriteDelete,
  'notification-group': readWriteDelete,
  transfer: readWriteDelete,
} as const

export type Areas = typeof areas
type AreaScope = { [Area in keyof Areas]: `nezha:${Area}:${Areas[Area][number]}` }[keyof Areas]

/** An action on the records of an entity that only this server has: `wheelhouse:<entity>:<verb>`. */
export type OwnScope = `wheelhouse:${string}:${'read' | 'write' | 'delete' | 'exec'}`

/**
 * What a call needs of an API token: an action of an area or of an entity, or `nezha:admin:*` for what only
 * administrators may do.
 */
export type TokenScope = AreaScope | OwnScope | 'nezha:admin:*'

/** `nezha:<area>:<verb>`, with the verb `*` for a whole area. */
export const contractScopes: readonly string[] = Object.entries(areas).flatMap(([area, verbs]) =>
  [...verbs, '*'].map((verb) => `nezha:${area}:${verb}`),
)
/** Only administrators may create tokens with these. */
export const adminScopes: readonly string[] = ['nezha:admin:*', 'nezha:*']

/** The scope of everything in the area of a scope. */
export const wholeArea = (scope: string): string => `${scope.slice(0, scope.lastIndexOf(':'))}:*`

/** Whether the scopes of a token include what a call needs. */
export function includesScope(granted: readonly string[], needed: TokenScope): boolean {
  return granted.includes(needed) || granted.includes(wholeArea(needed)) || granted.includes('nezha:*')
}
