import { z } from 'zod'
import { roleAssignment, roleLimits, roles } from '../define/access.ts'
import { endpoint } from '../define/endpoint.ts'
import { isMailAddress } from '../formats/mailUrl.ts'

const scopes = ['nezha:admin:*'] as const

/** A role that an invitation gives: 0 for an administrator, 1 for a member. */
const role = z.union([z.literal(roles.admin), z.literal(roles.user)])

/** What is shown of an invitation; its token is shown once. */
const invitation = z.object({
  id: z.int(),
  role,
  /** The id of the team that the new account is in; 0 for none. */
  team: z.int().default(0),
  /** The further roles that the new account has. */
  roles: z.array(roleAssignment).default([]),
  /** Who made it, by the name of today; '' when they are gone, and the invitation with them. */
  invited_by: z.string().default(''),
  /** RFC 3339, both. */
  created_at: z.string(),
  expires_at: z.string(),
})

/** How an invitation is mailed: by a notifier of the person who invites that sends mail. */
const mail = z.object({
  notification_id: z.int().min(1),
  to: z.string().max(254).refine(isMailAddress, 'must be one mail address, as name@example.org'),
  /** The code of the language of the mail, as the console of who invites has it. */
  language: z.string().max(35).default(''),
})

/** The secret of an invitation: 32 bytes in base64url. */
const token = z.string().max(64)

/** Accounts of people beyond CRUD. Only where `GET /setting` says `wheelhouse.people`. */
export const peopleEndpoints = {
  /** Ends all sessions of a user, and keeps them from signing in; their API tokens do nothing, their agents go on. */
  disableUser: endpoint('POST', 'wheelhouse/users/:id/disable', { scopes, access: 'admin', leadsTo: 'access' }),
  enableUser: endpoint('POST', 'wheelhouse/users/:id/enable', { scopes, access: 'admin', leadsTo: 'access' }),
  /** Ends all sessions of a user, deletes their API tokens, and takes back the invitations that they made. */
  endAccess: endpoint('POST', 'wheelhouse/users/:id/end-access', { scopes, access: 'admin', leadsTo: 'access' }),
  /** Those that can still be accepted, the latest first. */
  invitations: endpoint('GET', 'wheelhouse/invitations', {
    scopes,
    access: 'admin',
    reply: z.array(invitation).default([]),
  }),
  /** Makes an invitation for one new account. It can be accepted once, for seven days. */
  invite: endpoint('POST', 'wheelhouse/invitations', {
    makesRecord: true,
    scopes,
    access: 'admin',
    leadsTo: 'access',
    body: z.object({
      role: role.default(roles.user),
      team: z.int().min(0).default(0),
      /** Further roles, as `PATCH wheelhouse/users/:id/roles` takes them; none for an administrator, who has them all. */
      roles: z.array(roleAssignment).max(roleLimits.ofPerson).default([]),
      mail: mail.optional(),
    }),
    reply: invitation.extend({
      token,
      /** Whether the mail server took the mail; absent without one. */
      mailed: z.boolean().optional(),
      /** Why the mail was not sent; the invitation is there all the same. */
      mail_error: z.string().optional(),
      /** The address to send, with the token behind `#`: browsers send that part to no server. */
      url: z.string(),
    }),
  }),
  /** The notifiers of the person who asks that send mail. */
  invitationMailers: endpoint('GET', 'wheelhouse/invitations/mailers', {
    scopes,
    access: 'admin',
    reply: z.array(z.object({ id: z.int(), name: z.string() })).default([]),
  }),
  revokeInvitation: endpoint('DELETE', 'wheelhouse/invitations/:id', { scopes, access: 'admin' }),
  /** What an invitation is for, before it is accepted. */
  readInvitation: endpoint('POST', 'wheelhouse/invitations/read', {
    access: 'anyone',
    body: z.object({ token }),
    reply: invitation.pick({ role: true, invited_by: true, expires_at: true }),
  }),
  /** Makes the account, and signs in to it: the reply sets the cookies of a session, as a sign-in does. */
  acceptInvitation: endpoint('POST', 'wheelhouse/invitations/accept', {
    access: 'anyone',
    body: z.object({ token, username: z.string().max(256), password: z.string().max(1024) }),
    reply: z.object({ id: z.int(), username: z.string() }),
  }),
} as const

export type Invitation = z.output<typeof invitation>

/** Users with what they own. */
export const userRecordEndpoints = {
  /** How many records a user owns, by entity. The next two: only where `GET /setting` says `wheelhouse.user_records`. */
  userRecords: endpoint('GET', 'wheelhouse/users/:id/records', {
    scopes: ['nezha:admin:*'],
    reply: z.record(z.string(), z.int()).default({}),
    access: 'admin',
  }),
  /** Deletes users; `records` says what becomes of what they own, which is moved to the user `to`. */
  deleteUsers: endpoint('POST', 'wheelhouse/users/delete', {
    scopes: ['nezha:admin:*'],
    body: z.object({
      ids: z.array(z.int().min(1)).min(1).max(1000),
      records: z.enum(['delete', 'move']),
      to: z.int().min(1).optional(),
    }),
    access: 'admin',
    leadsTo: 'access',
    changes: 'user',
  }),
} as const
