import type { FastifyInstance } from 'fastify'
import { isWholeAdministrator, type RoleAssignment, roles as wireRoles } from '../../../src/schemas/define/access.ts'
import { sameValue } from '../../../src/schemas/define/values.ts'
import {
  roleEndpoints as endpoints,
  type PersonWithRoles,
} from '../../../src/schemas/endpoints/roleAndTeamEndpoints.ts'
import type { OwnedRecords } from '../../api/ownedRecords.ts'
import { addAuditDetails, auditNames, route } from '../../http/routes/route.ts'
import { isAdmin, type Person, personOf } from '../../person.ts'
import { ApiError, bodyReader, timestamp } from '../../wire/apiCall.ts'
import type { Auth } from '../auth.ts'
import { createRoleScopes, rolesInWords } from '../roles/roleScopes.ts'
import type { GivenRole, Roles } from '../roles/roles.ts'
import type { User } from '../users/users.ts'

interface RoleServices {
  auth: Auth
  owned: Pick<OwnedRecords, 'limit'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Whether somebody may give roles to others at all. */
export const mayGiveRoles = (roles: Pick<Roles, 'givesAny'>, person: Person | undefined) =>
  isAdmin(person) || (person !== undefined && roles.givesAny(person.id))

/** The role that the wire knows as 0. */
const wholeAdministrator: RoleAssignment = { role: 'administrator', scope: 'all' }

/** Roles beyond those of the wire: the own ones, and who has which. */
export function registerRoles(app: FastifyInstance, { auth, owned, now }: RoleServices): void {
  const { store, users, roles, teams, administrators, signInProviders } = auth
  const { checkScope, ofPresent } = createRoleScopes(store)

  const giftOf = ({ administrator_by, role_given_by, role_given_at }: User) => ({
    provider: administrator_by,
    given_by: role_given_by,
    given_at: role_given_at,
  })

  /** Who gave a role, by the name of now; nothing of what is not known. */
  function giverOf({ provider, given_by, given_at }: Pick<GivenRole, 'provider' | 'given_by' | 'given_at'>) {
    const name = provider === 0 ? users.get(given_by)?.username : signInProviders.get(provider)?.name
    return { given_by: name ?? (given_by === 0 ? '' : `#${given_by}`), given_at }
  }

  const withRoles = (user: User): PersonWithRoles => ({
    id: user.id,
    username: user.username,
    roles:
      user.role === wireRoles.admin
        ? [{ ...wholeAdministrator, ...giverOf(giftOf(user)) }]
        : roles
            .given(user.id)
            .flatMap(ofPresent)
            .map(({ role, scope, ...gift }) => ({ role, scope, ...giverOf(gift) })),
  })

  /** Nobody gives or takes what they do not have, and nobody changes an administrator but another one. @throws ApiError */
  function checkGiver(giver: Person, user: User, given: readonly RoleAssignment[]): void {
    if (isAdmin(giver)) return
    // What is about what was deleted is nothing that anybody has.
    const present = roles.of(user.id).flatMap(ofPresent)
    const changed = [
      ...given.filter((one) => !present.some((other) => sameValue(one, other))),
      ...present.filter((one) => !given.some((other) => sameValue(one, other))),
    ]
    const mayAll = user.role !== wireRoles.admin && !given.some(isWholeAdministrator)
    if (!mayAll || !changed.every((assignment) => roles.mayGive(giver.id, assignment))) {
      throw new ApiError('permission denied: you give and take only what you have yourself')
    }
  }

  route(app, 'roles', endpoints.roles, ({ person }) => {
    const shown = mayGiveRoles(roles, person) ? users.all() : users.all().filter(({ id }) => id === person?.id)
    return {
      roles: roles.all().map(({ rights, ...role }) => ({ ...role, rights: [...rights] })),
      people: shown.map(withRoles),
    }
  })
  route(
    app,
    { name: 'createRole', audit: 'role.create' },
    endpoints.createRole,
    bodyReader(endpoints.createRole),
    (request) => {
      const id = roles.create(request.body)
      addAuditDetails(request, { target: `role ${id}`, detail: auditNames([request.body.name]) })
      return { id }
    },
  )
  route(
    app,
    { name: 'updateRole', audit: 'role.update' },
    endpoints.updateRole,
    bodyReader(endpoints.updateRole),
    (request) => {
      const { params, body } = request
      roles.update(params.id, body)
      const detail = { ...auditNames([body.name]), rights: body.rights.join(' ') }
      addAuditDetails(request, { target: `role ${params.id}`, detail })
    },
  )
  route(app, { name: 'deleteRole', audit: 'role.delete' }, endpoints.deleteRole, (request) => {
    const { id } = request.params
    // Who has it only where everything was deleted is shown nowhere as having it.
    const holders = users.all().filter((user) => withRoles(user).roles.some(({ role }) => role === id)).length
    if (holders > 0) throw new ApiError(`${holders} people have this role: take it from them first`)
    const team = teams.all().find((one) => one.roles.flatMap(ofPresent).some(({ role }) => role === id))
    if (team) throw new ApiError(`the team "${team.name}" has this role: take it from the team first`)
    addAuditDetails(request, { target: `role ${id}`, detail: auditNames([roles.remove(id).name]) })
  })
  route(
    app,
    { name: 'setRoles', audit: 'user.roles' },
    endpoints.setRoles,
    bodyReader(endpoints.setRoles),
    (request) => {
      const { params, body } = request
      const giver = personOf(request)
      if (!mayGiveRoles(roles, giver)) throw new ApiError('permission denied')
      const user = users.get(params.id)
      if (!user) throw new ApiError(`user id ${params.id} does not exist`)
      if (user.id === giver.id) throw new ApiError('these are your own roles: somebody else has to change them')
      const given = body.roles.filter((one, at) => body.roles.findIndex((other) => sameValue(one, other)) === at)
      checkGiver(giver, user, given)
      for (const assignment of given) checkScope(assignment)
      const role = given.some(isWholeAdministrator) ? wireRoles.admin : wireRoles.user
      if (role !== wireRoles.admin) administrators.checkStaysOne({ users: [user.id] })
      addAuditDetails(request, {
        target: `user ${user.id}`,
        detail: { ...auditNames([user.username]), roles: rolesInWords(given) },
      })
      store.urgently(() => {
        // Nothing that they made as a member reaches further of itself.
        if (role === wireRoles.admin && user.role !== role) owned.limit(user.id)
        const gift = { given_by: giver.id, given_at: timestamp(now()) }
        roles.assign(user.id, role === wireRoles.admin ? [] : given, gift)
        if (user.role === role) return
        const administrator = role === wireRoles.admin ? gift : { given_by: 0, given_at: '' }
        users.update(user.id, {
          role,
          administrator_by: 0,
          role_given_by: administrator.given_by,
          role_given_at: administrator.given_at,
          updated_at: timestamp(now()),
        })
      })
    },
  )
}
