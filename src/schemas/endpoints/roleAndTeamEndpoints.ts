import { z } from 'zod'
import { rights, roleAssignment, roleForm, roleId, roleLimits } from '../define/access.ts'
import { endpoint } from '../define/endpoint.ts'
import { defineEntity } from '../define/entity.ts'
import { teamForm } from '../define/team.ts'

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

/** How many teams there may be, and how many roles each. */
export const teamLimits = { teams: 200, roles: 50 } as const

/** A role of a team, and where its members have it: as a person's, or `team` for the servers of the team. */
export const teamRole = roleAssignment.extend({ scope: z.union([z.literal('team'), roleAssignment.shape.scope]) })
const teamRoles = z.array(teamRole).max(teamLimits.roles)
export type TeamRole = z.output<typeof teamRole>

const team = z.object({
  id: z.int(),
  name: z.string(),
  /** Who was put into it by hand. */
  users: z.array(z.int()).default([]),
  /** Who is in it by how they sign in, as by a group of the company's directory. */
  signed_in_users: z.array(z.int()).default([]),
  servers: z.array(z.int()).default([]),
  roles: z.array(teamRole).default([]),
})
export type Team = z.output<typeof team>

/** Teams: people and servers under a name. Only where `GET /setting` says `wheelhouse.roles`. */
export const teamEndpoints = {
  /** All for those who may give roles, else those that one is in. */
  teams: endpoint('GET', 'wheelhouse/teams', { scopes, reply: z.array(team).default([]) }),
  /** Who is no administrator makes it with roles, which they have themselves. */
  createTeam: endpoint('POST', 'wheelhouse/teams', {
    makesRecord: true,
    scopes,
    leadsTo: 'access',
    body: teamForm.extend({ roles: teamRoles.default([]) }),
    reply: z.object({ id: z.int() }),
  }),
  /**
   * Replaces its name, people and servers. Who is no administrator needs the right `people`, and all roles of the team
   * wherever it has them.
   */
  updateTeam: endpoint('PATCH', 'wheelhouse/teams/:id', { scopes, leadsTo: 'access', body: teamForm }),
  /** Its roles end with it. One that records belong to stays: they are given to somebody first, or deleted. */
  deleteTeam: endpoint('DELETE', 'wheelhouse/teams/:id', { scopes, leadsTo: 'access' }),
  /** Replaces the roles of a team: who is in it has them at once. */
  setTeamRoles: endpoint('PATCH', 'wheelhouse/teams/:id/roles', {
    scopes,
    leadsTo: 'access',
    body: z.object({ roles: teamRoles }),
  }),
} as const
