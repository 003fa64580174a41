import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorMessage } from '../../../src/domain/errors.ts'
import { consolePath } from '../../../src/schemas/consolePath.ts'
import {
  isWholeAdministrator,
  type RoleAssignment,
  type RoleId,
  roles as wireRoles,
} from '../../../src/schemas/define/access.ts'
import { invitationEnded, onlyProviders, usernameTaken } from '../../../src/schemas/define/wireNames.ts'
import { peopleEndpoints as endpoints } from '../../../src/schemas/endpoints/peopleEndpoints.ts'
import { isMailUrl, readMailUrl } from '../../../src/schemas/formats/mailUrl.ts'
import { notification } from '../../../src/schemas/notification.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import { createTokenBuckets } from '../../concurrency/tokenBucket.ts'
import type { Store } from '../../db/store.ts'
import { entityTable, type Row } from '../../entities/entityTable.ts'
import { addAuditDetails, route } from '../../http/routes/route.ts'
import type { MayCallPrivateTargets } from '../../outbound/privateTargets.ts'
import { sendMail } from '../../outbound/sendMail.ts'
import { type Person, personOf } from '../../person.ts'
import { messageIn } from '../../site/messages.ts'
import { readSite } from '../../site/site.ts'
import { ApiError, bodyReader, timestamp } from '../../wire/apiCall.ts'
import { addressGroup, ownOrigin } from '../addresses/clientAddress.ts'
import { hashPassword } from '../passwords/password.ts'
import type { SignIns } from '../proofs/signIns.ts'
import { createRoleScopes, rolesInWords } from '../roles/roleScopes.ts'
import {
  addUser,
  checkNewPassword,
  checkNoLookAlike,
  checkUsername,
  type InvitationRow,
  type User,
} from '../users/users.ts'
import type { Accounts } from './userHooks.ts'

interface InvitationServices extends Pick<Accounts, 'auth' | 'now'> {
  audit: AuditLog
  signIns: SignIns
  mayCallPrivateTargets: MayCallPrivateTargets
  /** Where browsers find this server, if that is known. */
  publicUrl?: URL
}

/** What an invitation gives, as a line of the audit log has it. */
const detailOf = ({ role, team_id, roles: given }: InvitationRow) => ({
  role,
  ...(team_id !== 0 && { team: team_id }),
  ...(given.length > 0 && { roles: rolesInWords(given) }),
})

/** Tokens of invitations that an address may try. A right one has 256 bits: this keeps the load small. */
const tries = { burst: 20, perSecond: 0.2 } as const

/** Inviting people, by a link that they get by themselves or by mail. */
export function registerInvitations(app: FastifyInstance, services: InvitationServices): void {
  const { auth, audit, signIns, now, publicUrl } = services
  const { store, users, invitations, teams, roles, hashQueue, passwordCost } = auth
  const { checkScope, ofPresent } = createRoleScopes(store)
  const byAddress = createTokenBuckets(tries)
  const mailer = createInvitationMailer(store, services.mayCallPrivateTargets)

  const hasTeam = (id: number) => teams.all().some((team) => team.id === id)

  const isRole = (id: RoleId) => roles.all().some((role) => role.id === id)

  /** What of its roles is still there: a role, a group or a server may have been deleted since. */
  const presentRoles = (row: InvitationRow) => row.roles.filter(({ role }) => isRole(role)).flatMap(ofPresent)

  /** @throws ApiError that says what to do */
  function checkRoles(role: number, given: readonly RoleAssignment[]): void {
    if (role === wireRoles.admin && given.length > 0) {
      throw new ApiError('roles: an administrator has them all: leave them out')
    }
    for (const assignment of given) {
      if (isWholeAdministrator(assignment))
        throw new ApiError('roles: for an administrator of everything set role to 0')
      if (!isRole(assignment.role)) throw new ApiError(`roles: role id ${assignment.role} does not exist`)
      checkScope(assignment)
    }
  }

  const toWire = (row: InvitationRow) => ({
    id: row.id,
    role: row.role as 0 | 1,
    team: hasTeam(row.team_id) ? row.team_id : 0,
    roles: presentRoles(row),
    invited_by: users.get(row.created_by)?.username ?? '',
    created_at: timestamp(row.created),
    expires_at: timestamp(row.expires),
  })

  /** @throws ApiError when it can no longer be accepted, or for too many tries of an address */
  function openInvitation({ address }: FastifyRequest, token: string): InvitationRow {
    if (!byAddress.take(addressGroup(address))) throw new ApiError('too many tries: wait a minute', 429)
    const found = invitations.find(token)
    if (!found) throw new ApiError(invitationEnded)
    return found
  }

  route(app, 'invitations', endpoints.invitations, () => invitations.open().map(toWire))
  route(app, 'invitationMailers', endpoints.invitationMailers, ({ person }) =>
    mailer.notifiersOf(person?.id ?? 0).map(({ id, name }) => ({ id, name })),
  )
  route(
    app,
    { name: 'invite', audit: 'invitation.create' },
    endpoints.invite,
    bodyReader(endpoints.invite),
    async (request) => {
      const { role, team, mail, roles: given } = request.body
      const person = personOf(request)
      checkRoles(role, given)
      if (team !== 0 && !hasTeam(team)) throw new ApiError(`team: team id ${team} does not exist`)
      const send = mail && mailer.mailTo(person, mail)
      const { row, token } = invitations.create(person.id, { role, team_id: team, roles: given })
      const origin = ownOrigin(request, { publicUrl, realIpHeader: readSite(store).web_real_ip_header })
      const url = `${origin}${consolePath}/login#invitation=${token}`
      const sent = await send?.(url)
      addAuditDetails(request, {
        target: `invitation ${row.id}`,
        detail: { ...detailOf(row), ...(sent && { mailed: sent.mailed }) },
      })
      return { ...toWire(row), token, url, ...sent }
    },
  )
  route(app, { name: 'revokeInvitation', audit: 'invitation.revoke' }, endpoints.revokeInvitation, (request) => {
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
        const by = row.created_by
        const id = addUser(users, { username, password: hash, role: row.role, by, now: now() })
        if (row.team_id !== 0) teams.add(row.team_id, id)
        roles.assign(id, presentRoles(row), { given_by: by, given_at: timestamp(now()) })
        audit.write({
          action: 'invitation.accept',
          person: { id, username },
          address: request.address,
          target: `invitation ${row.id}`,
          detail: detailOf(row),
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

type NotifierRow = Row<typeof notification>

interface MailRequest {
  notification_id: number
  to: string
  /** The code of a language. */
  language: string
}

interface Sent {
  mailed: boolean
  mail_error?: string
}

/** Mails invitations by a notifier of the person who invites: the mail server is theirs, the recipient is another one. */
interface InvitationMailer {
  /** The notifiers of a person that send mail. */
  notifiersOf(userId: number): NotifierRow[]
  /**
   * Checks what was asked for, before there is an invitation, and counts it.
   * @returns sends the mail; never rejects @throws ApiError
   */
  mailTo(person: Person, request: MailRequest): (url: string) => Promise<Sent>
}

/** Mails of a person: an address that was typed may be anybody's. */
const rate = { burst: 20, perSecond: 1 / 180 } as const
/** Characters of a subject. */
const maxSubject = 200

function createInvitationMailer(store: Store, mayCallPrivateTargets: MayCallPrivateTargets): InvitationMailer {
  const notifiers = entityTable(store, notification)
  const byPerson = createTokenBuckets(rate)

  const notifiersOf = (user_id: number) => notifiers.find({ user_id }).filter(({ url }) => isMailUrl(url))

  return {
    notifiersOf,
    mailTo(person, { notification_id, to, language }) {
      const notifier = notifiersOf(person.id).find(({ id }) => id === notification_id)
      const address = notifier && readMailUrl(notifier.url)
      if (!notifier || !address) {
        throw new ApiError('mail: choose one of your own notifiers that sends mail, or send the link yourself')
      }
      if (!byPerson.take(String(person.id))) {
        throw new ApiError('too many invitations were mailed: wait some minutes, or send the link yourself', 429)
      }
      const values = { name: person.username, site: readSite(store).site_name || 'Wheelhouse' }
      return async (url) => {
        const subject = messageIn(store, language, 'invitation_subject', values)
        try {
          const { isSent, text } = await sendMail(
            {
              url: { ...address, to: [to] },
              subject: subject.replaceAll(/[\p{C}\s]+/gu, ' ').slice(0, maxSubject),
              text: messageIn(store, language, 'invitation_text', { ...values, url }),
              verifyTls: notifier.verify_tls,
            },
            { allowPrivate: mayCallPrivateTargets(notifier) },
          )
          return isSent ? { mailed: true } : { mailed: false, mail_error: text }
        } catch (error) {
          return { mailed: false, mail_error: errorMessage(error) }
        }
      }
    },
  }
}
