import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sameValue } from '../../src/schemas/define/values.ts'
import { endpoints } from '../../src/schemas/endpoints/index.ts'
import { leastHistoryDays } from '../../src/schemas/endpoints/serviceHistory.ts'
import { settingEndpoints } from '../../src/schemas/endpoints/settingEndpoints.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import {
  isHeaderName,
  ownSettingKeys,
  reauthenticationMinutes,
  type SiteSettingKey,
  sessionBindings,
  siteSetting,
  terminalRecordings,
} from '../../src/schemas/settings/siteSetting.ts'
import { readClientAddress } from '../auth/addresses/clientAddress.ts'
import { hasTeams } from '../auth/teams/teams.ts'
import type { Store } from '../db/store.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import { entityTable, type Form } from '../entities/entityTable.ts'
import { addAuditDetails, type RequestOf, route } from '../http/routes/route.ts'
import { isAdmin } from '../person.ts'
import { flowWindow } from '../sessions/outputFlow.ts'
import type { TerminalRecordings } from '../sessions/recorder.ts'
import { ApiError } from '../wire/apiCall.ts'
import { idsInText, readSite, type Site, visibleConfig, writeSite } from './site.ts'
import { ownTimezone } from './timeZone.ts'
import { registerWebManifest } from './webManifestRoute.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** How many records of each entity a member may have. */
    recordsPerMember(): number
    /** How long a terminal is held whose browser has gone; 0: not at all. */
    terminalHoldMinutes(): number
    /** Which terminals are recorded, and for how long that is kept. */
    terminalRecordings(): TerminalRecordings
  }
}

interface SiteOptions {
  store: Store
  /** Version of this server. */
  version: string
  /** Present when the server before this one did not end by its will. */
  cutOff?: object
  /** Present when this server shares its database with others. */
  cluster?: object
  /** How many days charts reach back. */
  history?: { days: number }
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

const dayMs = 86_400_000

/** How long administrators are told on every screen that the server was cut off: whoever looks once a day sees it. */
const cutOffShownMs = 86_400_000

/** Not changed by a form, whatever it contains. */
const readOnlyKeys = ['admin_template', 'oauth2_providers'] as const

/** The settings of the site, and what the address of a request would be behind another real-IP header. */
export const sitePlugin = fp(
  async (app: FastifyInstance, options: SiteOptions) => {
    const readSetting = (body: unknown) => compileEntity(siteSetting).readForm(body)
    const shownUntil = options.cutOff ? options.now() + cutOffShownMs : 0
    const wasCutOff = () => options.now() < shownUntil
    app.decorate('recordsPerMember', () => readSite(options.store).records_per_member)
    app.decorate('terminalHoldMinutes', () => readSite(options.store).terminal_hold_minutes)
    app.decorate('terminalRecordings', () => {
      const { terminal_recording, recorded_servers = '', recording_days } = readSite(options.store)
      const which = Object.entries(terminalRecordings).find(([value]) => Number(value) === terminal_recording)?.[1]
      return { which: which ?? 'none', servers: idsInText(recorded_servers) ?? {}, keptMs: recording_days * dayMs }
    })
    route(app, 'setting', endpoints.setting, (request) =>
      settingFor(request, app, { ...options, wasCutOff: wasCutOff() }),
    )
    route(
      app,
      { name: 'updateSetting', audit: 'setting.update' },
      settingEndpoints.updateSetting,
      readSetting,
      (request) => update(request, app, options.store),
    )
    route(app, 'addressSeen', endpoints.addressSeen, addressBehindHeader)
    registerWebManifest(app, options.store)
  },
  { name: 'site', dependencies: ['security', 'backups'] },
)

function update(
  request: RequestOf<typeof settingEndpoints.updateSetting>,
  { hasSecondFactor }: FastifyInstance,
  store: Store,
): void {
  const site = readSite(store)
  const next = replaceSettings(site, request.body)
  if (next.require_second_factor && !hasSecondFactor(request.person?.id ?? 0)) {
    throw new ApiError('set up a second factor of your own in your profile before you require one of everybody')
  }
  if (!(next.reauthentication_minutes in reauthenticationMinutes)) {
    throw new ApiError(`reauthentication_minutes must be one of ${Object.keys(reauthenticationMinutes).join(', ')}`)
  }
  if (!(next.session_binding in sessionBindings)) {
    throw new ApiError(`session_binding must be one of ${Object.keys(sessionBindings).join(', ')}`)
  }
  checkNotificationGroup(site, next, store)
  if (!userTemplates.includes(next.user_template)) throw new ApiError('invalid user template')
  for (const name of ['web_real_ip_header', 'agent_real_ip_header']) {
    // A mistyped name would be in no request, and everybody locked out.
    if (!isHeaderName(String(next[name]))) throw new ApiError(`${name} is not the name of a header`)
  }
  if (!siteSetting.form.shape.check_user_agent.safeParse(next.check_user_agent).success) {
    throw new ApiError('check_user_agent has characters that a header cannot have')
  }
  if (!siteSetting.form.shape.records_per_member.safeParse(next.records_per_member).success) {
    throw new ApiError('records_per_member must be from 1 to 100000')
  }
  if (!siteSetting.form.shape.terminal_hold_minutes.safeParse(next.terminal_hold_minutes).success) {
    throw new ApiError('terminal_hold_minutes must be from 0 to 1440')
  }
  if (!(next.terminal_recording in terminalRecordings)) {
    throw new ApiError(`terminal_recording must be one of ${Object.keys(terminalRecordings).join(', ')}`)
  }
  if (!siteSetting.form.shape.recording_days.safeParse(next.recording_days).success) {
    throw new ApiError('recording_days must be from 1 to 3650')
  }
  if (!siteSetting.form.shape.inspect_minutes.safeParse(next.inspect_minutes).success) {
    throw new ApiError('inspect_minutes must be from 1 to 1440')
  }
  writeSite(store, next)
  // A setting that was never made counts as empty, off or 0.
  const changed = Object.keys(next).filter((name) => !sameValue(site[name] || '', next[name] || ''))
  if (changed.length > 0) addAuditDetails(request, { detail: { settings: changed.join(', ') } })
}

/** As for records: a new group has to exist, and one that was deleted since does not keep anybody from saving. */
function checkNotificationGroup(site: Site, next: Site, store: Store): void {
  const id = Number(next.ip_change_notification_group_id ?? 0)
  if (id === 0 || id === site.ip_change_notification_group_id || entityTable(store, notificationGroup).get(id)) return
  throw new ApiError(`ip_change_notification_group_id: notification group id ${id} does not exist`)
}

/** All settings from the form: what is left out is cleared, except for those that not every console knows. */
function replaceSettings(site: Site, given: Form): Site {
  const current = Object.fromEntries(['enable_mcp', ...ownSettingKeys].map((name) => [name, site[name]]))
  const { completeForm, limits } = compileEntity(siteSetting)
  const form = completeForm({ ...current, ...given })
  limits.check(form, site)
  const readOnly = Object.fromEntries(readOnlyKeys.map((name) => [name, site[name]]))
  return {
    ...form,
    ...readOnly,
    ignored_ip_notification_server_ids: idsInText(String(form.ignored_ip_notification)),
  } as unknown as Site
}

function addressBehindHeader(request: RequestOf<typeof endpoints.addressSeen>): { address?: string; problem?: string } {
  const { header } = request.params
  if (!isHeaderName(header)) throw new ApiError(`${header.slice(0, 64)} is not the name of a header`)
  try {
    return { address: readClientAddress(request, header) }
  } catch (error) {
    if (error instanceof ApiError) return { problem: error.message }
    throw error
  }
}

function settingFor(
  request: FastifyRequest,
  {
    auth: { signInProviders, proxies, teams },
    hasUnreadProxyHeader,
    offersPasskeys,
    backupStatus,
    load,
  }: FastifyInstance,
  { store, version, cluster, history, wasCutOff }: SiteOptions & { wasCutOff: boolean },
) {
  const { person } = request
  const forAdmins = isAdmin(person) && { version, frontend_templates: templates(version) }
  const warnings = [
    ...(isAdmin(person) && hasUnreadProxyHeader() ? ['unheard_proxy'] : []),
    ...(isAdmin(person) && backupStatus().failure ? ['backup_failed'] : []),
    ...(isAdmin(person) && wasCutOff ? ['restarted'] : []),
    ...(isAdmin(person) && load.isOverloaded() ? ['overloaded'] : []),
    ...(person && store.isDiskFull() ? ['disk_full'] : []),
    ...(person && store.isBusy() ? ['database_busy'] : []),
    ...(person && store.isAway() ? ['database_away'] : []),
  ]
  const holdMinutes = readSite(store).terminal_hold_minutes
  const aboutSettings = isAdmin(person) && {
    settings_in_use: settingsInUse,
    tells_address: true,
    audit: true,
    security_facts: true,
    ...(cluster && { cluster: true }),
    configuration: true,
    imports: true,
  }
  return {
    config: visibleConfig(
      {
        ...readSite(store),
        // For the sign-in page. Administrators see what they have set, which their form sends back.
        ...(!isAdmin(person) && signInProviders.isOnlyWay() && { hide_password_form: true }),
        oauth2_providers: [...signInProviders.redirecting().keys(), ...proxies.namesFor(request)],
      },
      person,
    ),
    ...forAdmins,
    tsdb_enabled: true,
    // By this key a console recognizes the server that it came with.
    wheelhouse: {
      version,
      ...(offersPasskeys() && { passkeys: true }),
      ...(person && {
        timezone: ownTimezone(),
        sessions: true,
        second_factor: true,
        terminal_flow: flowWindow,
        ...(holdMinutes > 0 && { terminal_hold: holdMinutes }),
        ...(history && history.days > leastHistoryDays && { history_days: history.days }),
        upload_ready: true,
        alarms: true,
        last_hour: true,
        server_changes: true,
        backtest: true,
        notifier_preview: true,
        bound_secrets: true,
        stored_secrets: true,
        clear_secrets: true,
        webhooks: true,
        incidents: true,
        contracts: true,
        escalations: true,
        outages: true,
        recent_trouble: true,
        checks: true,
        deliveries: true,
        ddns: true,
        nat_release: true,
        user_records: true,
        people: true,
        roles: true,
        ...(hasTeams(person, teams) && { teams: true }),
        notifiers: true,
        push: true,
        task_runs: true,
        changes: true,
        api_tokens: true,
        transfers: true,
        agents: true,
        waf_search: true,
        server_shares: true,
        maintenance: true,
        inspect: true,
        mcp: readSite(store).enable_mcp === true,
      }),
      ...(warnings.length > 0 && { warnings }),
      ...aboutSettings,
    },
  }
}

/** The settings that this server acts on. It stores the others too. */
const settingsInUse: SiteSettingKey[] = [
  'site_name',
  'language',
  'user_template',
  'custom_code',
  'custom_code_dashboard',
  'install_host',
  'tls',
  'dashboard_host',
  'reserved_hosts',
  'web_real_ip_header',
  'agent_real_ip_header',
  'enable_ip_change_notification',
  'ip_change_notification_group_id',
  'cover',
  'ignored_ip_notification',
  'enable_plain_ip_in_notification',
  'enable_mcp',
  ...ownSettingKeys,
]

/** What there is: the console, and the status page for visitors. */
const templates = (version: string) => [
  { path: 'admin-dist', name: 'Wheelhouse', repository: '', author: '', version, is_admin: true, is_official: true },
  { path: 'user-dist', name: 'Wheelhouse status page', repository: '', author: '', version, is_official: true },
]

/** Paths of the templates that visitors can be shown. */
const userTemplates = templates('')
  .filter(({ is_admin }) => !is_admin)
  .map(({ path }) => path)
