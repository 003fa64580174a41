import { z } from 'zod'
import { roleAssignment } from '../define/access.ts'
import { endpoint } from '../define/endpoint.ts'
import { teamForm } from '../define/team.ts'

const scopes = ['nezha:admin:*'] as const

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
