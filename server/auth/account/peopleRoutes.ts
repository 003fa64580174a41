import type { FastifyInstance, FastifyRequest } from 'fastify'
import { peopleEndpoints as endpoints } from '../../../src/schemas/endpoints/peopleEndpoints.ts'
import { addAuditDetails, auditNames, route } from '../../http/routes/route.ts'
import { ApiError } from '../../wire/apiError.ts'
import type { User } from '../users/users.ts'
import type { Accounts } from './userHooks.ts'

/** Disabling accounts, and ending all that somebody has open. */
export function registerPeople(app: FastifyInstance, { auth, online }: Accounts): void {
  const { store, users, sessions, apiTokens, invitations, administrators } = auth

  /** Whom a request is about, which goes into the audit log. @throws ApiError for nobody, and for oneself */
  function otherUser(request: FastifyRequest<{ Params: { id: number } }>): User {
    const { id } = request.params
    const user = users.get(id)
    if (!user) throw new ApiError(`user id ${id} does not exist`)
    if (id === request.person?.id) throw new ApiError('this is your own account: another administrator has to do that')
    addAuditDetails(request, { target: `user ${id}`, detail: auditNames([user.username]) })
    return user
  }

  /** Ends what somebody has open. @param change what else happens, in the same transaction */
  function end(user: User, change: () => void): void {
    store.urgently(() => {
      sessions.revokeAll(user.id)
      invitations.removeBy([user.id])
      change()
    })
    online.disconnect(({ person }) => person?.id === user.id)
  }

  const setDisabled = (user: User, disabled: boolean) => users.update(user.id, { disabled })

  route(app, { name: 'disableUser', audit: 'user.disable' }, endpoints.disableUser, (request) => {
    const user = otherUser(request)
    administrators.checkStaysOne({ users: [user.id] })
    end(user, () => setDisabled(user, true))
  })
  route(app, { name: 'enableUser', audit: 'user.enable' }, endpoints.enableUser, (request) => {
    setDisabled(otherUser(request), false)
  })
  route(app, { name: 'endAccess', audit: 'user.end-access' }, endpoints.endAccess, (request) => {
    const user = otherUser(request)
    end(user, () => apiTokens.removeUsers([user.id]))
  })
}
