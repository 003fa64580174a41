import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * `<area>.<verb>`, as `user.delete`: the action under which the audit log records a request of this route, once
     * it was answered with success. Routes without it are not recorded.
     */
    auditAction?: string
  }
  interface FastifyRequest {
    /** What the handler adds to the line in the audit log; see `addAuditDetails`. */
    auditDetails?: AuditDetails
  }
}

interface AuditDetails {
  /** What it was done to: `server 1`, `user 7`, a path. */
  target?: string
  /** Numbers and outcomes by name. */
  detail?: Readonly<Record<string, string | number | boolean>>
}

/** Adds to the line that the audit log gets for this request. Never content or secrets. */
export function addAuditDetails(request: FastifyRequest, { detail = {}, ...details }: AuditDetails): void {
  request.auditDetails = { ...request.auditDetails, ...details, ...(Object.keys(detail).length > 0 && { detail }) }
}

/** More than these are counted: a line has to stay a line. */
const namedAtMost = 20

/** Records or addresses as the target of an action: `user 7, 9`. Nothing for none. */
export function auditTarget(kind: string, values: readonly (number | string)[]): string | undefined {
  if (values.length === 0) return undefined
  const more = values.length - namedAtMost
  const named = values.slice(0, namedAtMost).map((value) => String(value).slice(0, 64))
  return `${kind} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Characters of all names together. */
const maxNameLength = 128

/**
 * The names of records as a detail of an action, so that they can be read after the records were renamed or deleted;
 * nothing for none.
 * @param nameOf called for the records that are named. Default: the values are names
 */
export function auditNames<T>(values: readonly T[], nameOf: (value: T) => unknown = (name) => name): { name?: string } {
  const name = values.slice(0, namedAtMost).map(nameOf).join(', ').slice(0, maxNameLength)
  return name ? { name } : {}
}

/** The calls outside CRUD that are recorded, by their names in `endpoints`. */
const actions: Readonly<Record<string, string>> = {
  runCron: 'cron.run',
  updateDdns: 'ddns.run',
  releaseNat: 'nat.release',
  tryCheck: 'service.try',
  renewPush: 'service.renew-push',
  testNotifier: 'notification.test',
  revealNotifier: 'notification.reveal',
  dismissUndelivered: 'notification.dismiss',
  addPushDevice: 'notification.create',
  removePushDevice: 'notification.delete',
  sendAgain: 'delivery.send-again',
  acknowledgeIncident: 'incident.acknowledge',
  unacknowledgeIncident: 'incident.unacknowledge',
  noteIncident: 'incident.note',
  resolveIncident: 'incident.resolve',
  renewRotaFeed: 'rota.renew-feed',
  setOwnNotifiers: 'profile.notifiers',
  deleteUsers: 'user.delete',
  disableUser: 'user.disable',
  enableUser: 'user.enable',
  endAccess: 'user.end-access',
  createRole: 'role.create',
  updateRole: 'role.update',
  deleteRole: 'role.delete',
  setRoles: 'user.roles',
  createTeam: 'team.create',
  updateTeam: 'team.update',
  deleteTeam: 'team.delete',
  setTeamRoles: 'team.roles',
  createSignInProvider: 'sign-in-provider.create',
  updateSignInProvider: 'sign-in-provider.update',
  deleteSignInProvider: 'sign-in-provider.delete',
  testSignInProvider: 'sign-in-provider.test',
  setOnlyProviders: 'sign-in-provider.only',
  invite: 'invitation.create',
  revokeInvitation: 'invitation.revoke',
  blockOnlineUsers: 'waf.block',
  setServerConfig: 'server.config',
  forceUpdate: 'server.force-update',
  endTerminal: 'terminal.close',
  shareTerminal: 'terminal.share',
  unshareTerminal: 'terminal.unshare',
  typeIntoTerminal: 'terminal.type',
  deleteRecording: 'recording.delete',
  saveSnippet: 'snippet.update',
  deleteSnippet: 'snippet.delete',
  signalProcess: 'process.signal',
  setPriority: 'process.priority',
  actOnContainer: 'container.act',
  actOnUnit: 'unit.act',
  askServers: 'server.ask',
  commandServers: 'server.command',
  createFile: 'file.create',
  createFolders: 'file.create',
  archiveFiles: 'file.archive',
  sendFiles: 'file.send',
  moveFiles: 'file.move',
  copyFiles: 'file.copy',
  deleteFiles: 'file.delete',
  discardUpload: 'file.delete',
  setFileRights: 'file.rights',
  packFiles: 'file.pack',
  unpackFile: 'file.unpack',
  moveServers: 'server.move',
  cancelTransfer: 'server.move-cancel',
  retryTransfer: 'server.move-retry',
  admitAgents: 'agent.admit',
  renewAgentSecret: 'profile.agent-secret',
  updateProfile: 'profile.update',
  createApiToken: 'api-token.create',
  deleteApiToken: 'api-token.delete',
  updateSetting: 'setting.update',
  setContractSetting: 'setting.update',
  correctTraffic: 'server.update',
  applyConfiguration: 'configuration.apply',
  applyImport: 'import.apply',
  undoImport: 'import.undo',
  unbindOauth2: 'oauth2.unbind',
  endSession: 'session.end',
  endOtherSessions: 'session.end',
  logout: 'session.sign-out',
  addTotp: 'second-factor.add',
  removeTotp: 'second-factor.remove',
  addPasskey: 'second-factor.add',
  removePasskey: 'second-factor.remove',
  renewRecoveryCodes: 'second-factor.renew-codes',
  resetSecondFactor: 'user.reset-second-factor',
  reauthenticate: 'session.reauthenticate',
}

/** The action of a call outside CRUD; `undefined` when it is not recorded. */
export const auditActionOf = (endpointName: string): string | undefined => actions[endpointName]
