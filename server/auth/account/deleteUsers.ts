import type { FastifyInstance } from 'fastify'
import { userRecordEndpoints } from '../../../src/schemas/endpoints/userRecordEndpoints.ts'
import type { OwnedRecords } from '../../api/ownedRecords.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../../http/routes/route.ts'
import { ApiError } from '../../wire/apiError.ts'
import { bodyReader } from '../../wire/readJson.ts'
import type { Accounts } from './userHooks.ts'
import { removeUsers } from './userHooks.ts'

/** Deleting users together with what they own, or after it was moved to somebody. */
export function registerDeleteUsers(app: FastifyInstance, accounts: Accounts, owned: OwnedRecords): void {
  const { users, store } = accounts.auth
  route(app, 'userRecords', userRecordEndpoints.userRecords, (request) => owned.counts(request.params.id))
  route(
    app,
    { name: 'deleteUsers', audit: 'user.delete' },
    userRecordEndpoints.deleteUsers,
    bodyReader(userRecordEndpoints.deleteUsers),
    (request) => {
      const { ids, records, to } = request.body
      const moves = records === 'move'
      if (moves && (to === undefined || !users.get(to))) {
        throw new ApiError('choose an existing user to whom the records are moved')
      }
      if (moves && to !== undefined && ids.includes(to)) {
        throw new ApiError('the records cannot be moved to a user that is deleted: choose another one')
      }
      addAuditDetails(request, {
        target: auditTarget('user', ids),
        detail: {
          ...(moves && to !== undefined ? { records, to } : { records }),
          ...auditNames(ids, (id) => users.get(id)?.username ?? `#${id}`),
        },
      })
      store.urgently(() => {
        if (moves && to !== undefined) owned.move(ids, to)
        else owned.remove(ids, request.person)
        removeUsers(accounts, request.person, ids)
      })
    },
  )
}
