import type { FastifyInstance, FastifyRequest } from 'fastify'
import { peopleEndpoints as endpoints, userRecordEndpoints } from '../../../src/schemas/endpoints/peopleEndpoints.ts'
import { server } from '../../../src/schemas/server.ts'
import { serverShare } from '../../../src/schemas/serverShare.ts'
import { user as entity } from '../../../src/schemas/user.ts'
import { dropMembers, type EntityHooks, type Records } from '../../api/entityHooks.ts'
import type { OwnedRecords } from '../../api/ownedRecords.ts'
import { compileEntity } from '../../entities/compileEntity.ts'
import { entityTable, type Form } from '../../entities/entityTable.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../../http/routes/route.ts'
import { isAdmin, type Person } from '../../person.ts'
import { ApiError, bodyReader, withoutEmpty } from '../../wire/apiCall.ts'
import type { Auth } from '../auth.ts'
import type { OnlineUsers } from '../blocking/onlineUsers.ts'
import { hashPassword } from '../passwords/password.ts'
import { addUser, checkNewPassword, checkNoLookAlike, checkUsername, type User } from '../users/users.ts'

export interface Accounts {
  auth: Auth
  online: OnlineUsers
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** People who may sign in (docs/contract/CONTRACT.md#51-account). An agent secret is shown to nobody but its owner. */
export function userHooks({ auth, online, now }: Accounts): EntityHooks {
  const { users, hashQueue, passwordCost, store, secondFactor } = auth

  const records: Records = {
    list: (person) => users.all().map((user) => toResponse(user, person, secondFactor.has(user.id))),
    visibility(person, id) {
      if (!users.get(id)) return 'missing'
      return isAdmin(person) || person?.id === id ? 'visible' : 'hidden'
    },
    async create(person, given, personNow) {
      const { username, password, role } = validated(compileEntity(entity).completeForm(given))
      // One at a time for each administrator: hashing is slow on purpose.
      const hash = await hashQueue.run(`user ${person?.id}`, () => hashPassword(password, passwordCost), true)
      personNow?.()
      return store.transaction(() => {
        if (users.find({ username }).length > 0) throw new ApiError('UNIQUE constraint failed: users.username')
        checkNoLookAlike(users, username)
        return addUser(users, { username, password: hash, role, by: person?.id, now: now() })
      })
    },
    remove: (person, ids) => removeUsers({ auth, online, now }, person, ids),
  }
  return { validation: 'contract', records }
}

/** Deletes accounts. What they own stays, and does nothing any more. @throws ApiError in the contract's words */
function removeUsers({ auth, online }: Accounts, person: Person | undefined, ids: readonly number[]): void {
  if (ids.length === 0) throw new ApiError('user id not specified')
  if (person && ids.includes(person.id)) throw new ApiError("can't delete yourself")
  const { store, users, sessions, secondFactor, bindings, furtherSecrets, apiTokens, invitations, roles, teams } = auth
  auth.administrators.checkStaysOne({ users: ids })
  const servers = entityTable(store, server)
  const secretById = new Map(users.all().map(({ id, agent_secret }) => [id, agent_secret]))
  store.urgently(() => {
    users.remove(ids)
    for (const id of ids) {
      sessions.revokeAll(id)
      secondFactor.remove(id)
    }
    apiTokens.removeUsers(ids)
    invitations.removeBy(ids)
    roles.removeUsers(ids)
    teams.removeUsers(ids)
    bindings.removeUsers(ids)
    for (const id of ids) keepAgentSecrets(id)
    dropMembers(store, serverShare, 'users', ids)
  })
  online.disconnect(({ person }) => person !== undefined && ids.includes(person.id))

  /** Agents of a team's servers go on, with the secrets of the person who gave these to the team. */
  function keepAgentSecrets(id: number): void {
    const secret = secretById.get(id)
    if (secret === undefined || servers.find({ made_by: id }).length === 0) furtherSecrets.removeUsers([id])
    else furtherSecrets.add(id, secret)
  }
}

function toResponse(user: User, person: Person | undefined, second_factor: boolean) {
  const { id, created_at, updated_at, username, role, agent_secret, reject_password, disabled, last_seen_at } = user
  const own = user.id === person?.id && { agent_secret }
  return {
    id,
    created_at,
    updated_at,
    username,
    role,
    ...own,
    ...withoutEmpty({ reject_password, second_factor, disabled, last_seen_at }),
  }
}

function validated(form: Form): Pick<User, 'username' | 'password' | 'role'> {
  const { username, password, role } = form as unknown as Pick<User, 'username' | 'password' | 'role'>
  checkNewPassword(password)
  checkUsername(username)
  if (role > 1) throw new ApiError('invalid role')
  return { username, password, role }
}

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
