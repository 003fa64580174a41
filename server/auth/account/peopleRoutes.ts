import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import { invitationEnded, onlyProviders, usernameTaken } from '../../../src/schemas/define/wireNames.ts'
import { peopleEndpoints as endpoints } from '../../../src/schemas/endpoints/peopleEndpoints.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { createTokenBuckets } from '../../concurrency/tokenBucket.ts'
import { addAuditDetails, auditNames } from '../../http/routes/auditAction.ts'
import { route } from '../../http/routes/route.ts'
import { personOf } from '../../person.ts'
import { readSite } from '../../site/site.ts'
import { ApiError } from '../../wire/apiError.ts'
import { bodyReader } from '../../wire/readJson.ts'
import { timestamp } from '../../wire/timestamp.ts'
import { addressGroup } from '../addresses/canonicalAddress.ts'
import { ownOrigin } from '../addresses/ownOrigin.ts'
import { hashPassword } from '../passwords/password.ts'
import type { SignIns } from '../proofs/signIns.ts'
import { checkNewPassword, checkNoLookAlike, checkUsername } from '../users/credentialRules.ts'
import type { InvitationRow } from '../users/invitations.ts'
import { addUser, type User } from '../users/users.ts'
import type { Accounts } from './userHooks.ts'

interface PeopleServices extends Accounts {
  audit: AuditLog
  signIns: SignIns
  /** Where browsers find this server, if that is known. */
  publicUrl?: URL
}

/** Tokens of invitations that an address may try. A right one has 256 bits: this keeps the load small. */
const tries = { burst: 20, perSecond: 0.2 } as const

/** Disabling accounts, ending all that somebody has open, and inviting people. */
export function registerPeople(app: FastifyInstance, services: PeopleServices): void {
  registerAccess(app, services)
  registerInvitations(app, services)
}

function registerAccess(app: FastifyInstance, { auth, online }: PeopleServices): void {
  const { store, users, sessions, apiTokens, invitations } = auth

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

  route(app, 'disableUser', endpoints.disableUser, (request) => {
    const user = otherUser(request)
    end(user, () => setDisabled(user, true))
  })
  route(app, 'enableUser', endpoints.enableUser, (request) => {
    setDisabled(otherUser(request), false)
  })
  route(app, 'endAccess', endpoints.endAccess, (request) => {
    const user = otherUser(request)
    end(user, () => apiTokens.removeUsers([user.id]))
  })
}

function registerInvitations(app: FastifyInstance, services: PeopleServices): void {
  const { auth, audit, signIns, now, publicUrl } = services
  const { store, users, invitations, hashQueue, passwordCost } = auth
  const byAddress = createTokenBuckets(tries)

  const toWire = ({ id, role, created_by, created, expires }: InvitationRow) => ({
    id,
    role: role as 0 | 1,
    invited_by: users.get(created_by)?.username ?? '',
    created_at: timestamp(created),
    expires_at: timestamp(expires),
  })

  /** @throws ApiError when it can no longer be accepted, or for too many tries of an address */
  function openInvitation({ address }: FastifyRequest, token: string): InvitationRow {
    if (!byAddress.take(addressGroup(address))) throw new ApiError('too many tries: wait a minute', 429)
    const found = invitations.find(token)
    if (!found) throw new ApiError(invitationEnded)
    return found
  }

  route(app, 'invitations', endpoints.invitations, () => invitations.open().map(toWire))
  route(app, 'invite', endpoints.invite, bodyReader(endpoints.invite), (request) => {
    const { row, token } = invitations.create(personOf(request).id, request.body.role)
    addAuditDetails(request, { target: `invitation ${row.id}`, detail: { role: row.role } })
    const origin = ownOrigin(request, { publicUrl, realIpHeader: readSite(store).web_real_ip_header })
    return { ...toWire(row), token, url: `${origin}${consolePath}/login#invitation=${token}` }
  })
  route(app, 'revokeInvitation', endpoints.revokeInvitation, (request) => {
    const { id } = request.params
    if (!invitations.get(id)) throw new ApiError(`invitation id ${id} does not exist`)
    addAuditDetails(request, { target: `invitation ${id}` })
    invitations.remove(id)
  })
  route(app, 'readInvitation', endpoints.readInvitation, bodyReader(endpoints.readInvitation), (request) =>
    toWire(openInvitation(request, request.body.token)),
  )
  route(
    app,
    'acceptInvitation',
    endpoints.acceptInvitation,
    bodyReader(endpoints.acceptInvitation),
    async (request, reply: FastifyReply) => {
      const { token, username, password } = request.body
      openInvitation(request, token)
      // The account could not sign in again.
      if (auth.signInProviders.isOnlyWay()) throw new ApiError(onlyProviders)
      checkUsername(username)
      checkNewPassword(password)
      checkFree(username)
      const hash = await hashQueue.run(addressGroup(request.address), () => hashPassword(password, passwordCost))
      const user = store.transaction(() => {
        // Hashing takes long: it may have been accepted or taken back meanwhile.
        const row = invitations.find(token)
        if (!row) throw new ApiError(invitationEnded)
        checkFree(username)
        invitations.remove(row.id)
        const id = addUser(users, { username, password: hash, role: row.role, now: now() })
        audit.write({
          action: 'invitation.accept',
          person: { id, username },
          address: request.address,
          target: `invitation ${row.id}`,
          detail: { role: row.role },
        })
        return users.get(id) as User
      })
      await signIns.open(request, reply, user, { by: 'invitation' })
      return { id: user.id, username: user.username }
    },
  )

  /** @throws ApiError that says what to do */
  function checkFree(username: string): void {
    if (users.find({ username }).length > 0) throw new ApiError(usernameTaken)
    checkNoLookAlike(users, username)
  }
}
