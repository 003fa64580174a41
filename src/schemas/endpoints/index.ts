import { z } from 'zod'
import { credentials, grant, profile } from '../account/profile.ts'
import { profileUpdate } from '../account/profileUpdate.ts'
import { ownSession } from '../account/session.ts'
import { bodyLimits, endpoint } from '../define/endpoint.ts'
import { orderReport } from '../machines/serverConfig.ts'
import { turnedAwayAgent } from '../machines/turnedAwayAgent.ts'
import { setting } from '../settings/setting.ts'
import { ddnsResult, ddnsSummary } from './ddnsResult.ts'

/** What became of a test message. */
const notifierTest = z.object({
  sent: z.boolean(),
  /** HTTP status, or the code of a mail server; 0 without a reply. */
  code: z.int(),
  /** The beginning of the reply, or why it could not be sent; without secrets. */
  reply: z.string(),
})

/** Every call outside CRUD, by name. */
export const endpoints = {
  login: endpoint('POST', 'login', {
    body: credentials,
    reply: grant,
    access: 'anyone',
    bodyLimit: bodyLimits.small,
  }),
  refreshToken: endpoint('POST', 'refresh-token', { reply: grant, older: 'GET', beforeSetup: true }),
  profile: endpoint('GET', 'profile', { reply: profile, beforeSetup: true }),
  /** Ends all sessions of the account, the caller's too. */
  updateProfile: endpoint('POST', 'profile', { body: profileUpdate.form, leadsTo: 'access' }),
  /** The first step of a sign-in or a binding at a provider, named letter by letter as in the settings. */
  startOauth2: endpoint('GET', 'oauth2/:provider', {
    query: z.object({ type: z.int() }),
    reply: z.object({ redirect: z.string() }),
    access: 'anyone',
  }),
  unbindOauth2: endpoint('POST', 'oauth2/:provider/unbind', { leadsTo: 'access' }),
  /** Takes away the second factor of somebody who lost it, and ends their sessions. Only with `wheelhouse.second_factor`. */
  resetSecondFactor: endpoint('DELETE', 'wheelhouse/second-factor/users/:id', {
    access: 'admin',
    leadsTo: 'credential',
  }),
  /** The next four: only where `GET /setting` says `wheelhouse.sessions`. */
  ownSessions: endpoint('GET', 'wheelhouse/sessions', { reply: z.array(ownSession).default([]) }),
  endSession: endpoint('DELETE', 'wheelhouse/sessions/:id'),
  endOtherSessions: endpoint('DELETE', 'wheelhouse/sessions'),
  logout: endpoint('POST', 'wheelhouse/logout', { beforeSetup: true }),
  /**
   * Answers at once; how it went is in the task's `last_executed_at` and `last_result` later. Only the embedded server
   * says how many servers run it now, and how many are offline.
   */
  runCron: endpoint('POST', 'cron/:id/manual', {
    makesRecord: true,
    scopes: ['nezha:cron:exec'],
    keepsToServers: true,
    reply: z
      .looseObject({ execution_id: z.int().optional(), started: z.int().default(0), offline: z.int().default(0) })
      .nullish(),
    older: 'GET',
    leadsTo: 'command',
  }),
  ddnsProviders: endpoint('GET', 'ddns/providers', {
    scopes: ['nezha:ddns:read'],
    keepsToServers: true,
    reply: z.array(z.string()),
  }),
  /** The next three: only where `GET /setting` says `wheelhouse.ddns`. */
  ddnsSummaries: endpoint('GET', 'wheelhouse/ddns', {
    scopes: ['nezha:ddns:read'],
    reply: z.array(ddnsSummary).default([]),
  }),
  /** The state of each record of a profile: failed ones first, 500 at most. */
  ddnsResults: endpoint('GET', 'wheelhouse/ddns/:id', {
    scopes: ['nezha:ddns:read'],
    reply: z.array(ddnsResult).default([]),
  }),
  /** Replies immediately with the number of records; their results appear in `ddnsResults` later. */
  updateDdns: endpoint('POST', 'wheelhouse/ddns/:id/update', {
    scopes: ['nezha:ddns:write'],
    reply: z.object({ names: z.int() }),
  }),
  /** Puts aside that a notifier did not deliver something. Only where it says so in `undelivered_at`. */
  dismissUndelivered: endpoint('POST', 'wheelhouse/notification/:id/dismiss', { scopes: ['nezha:notification:write'] }),
  /** Sends a test message to a stored notifier. Only where `GET /setting` says `wheelhouse.notifiers`. */
  testNotifier: endpoint('POST', 'wheelhouse/notification/:id/test', {
    scopes: ['nezha:notification:write'],
    reply: notifierTest,
  }),
  /**
   * Sends the event of an entry of the delivery log once more, as it was and with its id. Only where `GET /setting`
   * says `wheelhouse.webhooks`.
   */
  sendAgain: endpoint('POST', 'wheelhouse/deliveries/:id/send-again', {
    scopes: ['nezha:notification:write'],
    access: 'admin',
  }),
  /** The address of a notifier that the caller owns. */
  revealNotifier: endpoint('POST', 'wheelhouse/notification/:id/reveal', {
    scopes: ['nezha:notification:write'],
    reply: z.object({ url: z.string() }),
    leadsTo: 'secret',
  }),
  /** Lets the name that a member has chosen be served. Only where `GET /setting` says `wheelhouse.nat_release`. */
  releaseNat: endpoint('POST', 'wheelhouse/nat/:id/release', {
    scopes: ['nezha:nat:write'],
    access: 'admin',
    leadsTo: 'opening',
  }),
  /** The next two: only where `GET /setting` says `wheelhouse.agents`. */
  turnedAwayAgents: endpoint('GET', 'wheelhouse/agents/turned-away', {
    scopes: ['nezha:inventory:read'],
    reply: z.array(turnedAwayAgent).default([]),
  }),
  /** Lets agents register again whose server was deleted. The body is the list of uuids; unknown ones are ignored. */
  admitAgents: endpoint('POST', 'wheelhouse/agents/admit', {
    scopes: ['nezha:server:write'],
    body: z.array(z.string().min(1).max(36)).max(1000),
  }),
  blockOnlineUsers: endpoint('POST', 'online-user/batch-block', {
    scopes: ['nezha:admin:*'],
    body: z.array(z.string().min(1)),
    access: 'admin',
  }),
  setting: endpoint('GET', 'setting', { reply: setting, access: 'anyone', beforeSetup: true }),
  /** The address that this request would have if the header were the real-IP header. Embedded server only. */
  addressSeen: endpoint('GET', 'wheelhouse/address/:header', {
    scopes: ['nezha:admin:*'],
    reply: z.object({ address: z.string().optional(), problem: z.string().optional() }),
    access: 'admin',
  }),
  /** The agent's settings as JSON text, with `…` for its secret on the embedded server; nothing when the server is unknown or offline. Takes up to 10 s. */
  serverConfig: endpoint('GET', 'server/config/:id', {
    scopes: ['nezha:server:write'],
    keepsToServers: true,
    reply: z.string().optional(),
  }),
  /** Unknown keys stay, left-out keys and a secret that is `…` stay as they are; `config` is JSON text. */
  setServerConfig: endpoint('POST', 'server/config', {
    scopes: ['nezha:server:write'],
    keepsToServers: true,
    body: z.object({ servers: z.array(z.int()), config: z.string() }),
    reply: orderReport,
    leadsTo: 'command',
  }),
  /** The ids are the whole body. */
  forceUpdate: endpoint('POST', 'force-update/server', {
    scopes: ['nezha:server:write'],
    keepsToServers: true,
    body: z.array(z.int()),
    reply: orderReport,
  }),
  /** A shell on a server that is online; its bytes travel over `ws/terminal/<session_id>`. */
  openTerminal: endpoint('POST', 'terminal', {
    scopes: ['nezha:server:exec'],
    keepsToServers: true,
    body: z.object({ server_id: z.int() }),
    reply: z.looseObject({ session_id: z.string(), server_id: z.int(), server_name: z.string() }),
    leadsTo: 'command',
  }),
  /** The files of a server that is online; requests and replies travel over `ws/file/<session_id>`. */
  openFile: endpoint('POST', 'file', {
    scopes: ['nezha:server:read', 'nezha:server:write', 'nezha:server:delete'],
    keepsToServers: true,
    query: z.object({ id: z.int() }),
    reply: z.looseObject({ session_id: z.string() }),
    older: 'GET',
    leadsTo: 'command',
  }),
} as const
