import { z } from 'zod'
import { rights, roleAssignment, roleForm, roleId, roleLimits } from '../define/access.ts'
import { endpoint } from '../define/endpoint.ts'
import { defineEntity } from '../define/entity.ts'

const scopes = ['nezha:admin:*'] as const

const role = z.object({ id: roleId, name: z.string(), rights: z.array(z.enum(rights)) })

const personWithRoles = z.object({
  id: z.int(),
  username: z.string(),
  /** For administrators: `administrator` for `all`. */
  roles: z.array(
    roleAssignment.extend({
      /** The name of the person or the provider that gave it, `#7` of one who is gone; '' where that is not known. */
      given_by: z.string().default(''),
      /** RFC 3339; '' where it is not known. */
      given_at: z.string().default(''),
    }),
  ),
})

/** Roles beyond those of the wire. Only where `GET /setting` says `wheelhouse.roles`. */
export const roleEndpoints = {
  /** All roles; and who has which: everybody for those who may give roles, else oneself. */
  roles: endpoint('GET', 'wheelhouse/roles', {
    scopes,
    reply: z.object({ roles: z.array(role), people: z.array(personWithRoles) }),
  }),
  createRole: endpoint('POST', 'wheelhouse/roles', {
    makesRecord: true,
    scopes,
    access: 'admin',
    body: roleForm,
    reply: z.object({ id: z.int() }),
  }),
  /** Whoever has the role has its new rights at once. */
  updateRole: endpoint('PATCH', 'wheelhouse/roles/:id', { scopes, access: 'admin', leadsTo: 'access', body: roleForm }),
  /** Refused while somebody has it. */
  deleteRole: endpoint('DELETE', 'wheelhouse/roles/:id', { scopes, access: 'admin' }),
  /**
   * Replaces the roles of somebody else. Who is no administrator needs the right `people`, and everything that is given
   * or taken. `administrator` for `all` makes the user one on the wire as well, and its absence a member.
   */
  setRoles: endpoint('PATCH', 'wheelhouse/users/:id/roles', {
    scopes,
    leadsTo: 'access',
    body: z.object({ roles: z.array(roleAssignment).max(roleLimits.ofPerson) }),
  }),
} as const

/** The form of an own role. Not in the index of entities, because only its form is used. */
export const ownRole = defineEntity({ name: 'role', form: roleForm, api: { verbs: [] } })

export type Role = z.output<typeof role>
export type PersonWithRoles = z.output<typeof personWithRoles>
/** A role of a person, and who gave it. */
export type GivenRole = PersonWithRoles['roles'][number]
