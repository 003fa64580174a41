import { roles } from '../../../schemas/define/access.ts'
import { advisoriesFor, advisoriesUrl } from './advisories.ts'
import { type Check, findingAbout, links, nameOf, type TaskFacts } from './check.ts'

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)

/** Without TLS, anybody on the network path can read passwords and session tokens. */
const plainHttp: Check = {
  name: 'plain_http',
  severity: 'error',
  link: links.settings,
  find({ page, server }) {
    const isPagePlain = page.protocol === 'http:' && !isLoopback(page.hostname)
    if (!isPagePlain && !server?.plain_http) return 'nothing'
    return { subjects: isPagePlain ? [{ label: `http://${page.hostname}` }] : [] }
  },
}

/** The advisories are about Nezha servers. */
const oldVersion: Check = {
  name: 'old_version',
  severity: 'error',
  link: { to: advisoriesUrl, labelKey: 'app.security.advisories' },
  find({ setting }) {
    const found = setting.wheelhouse ? undefined : advisoriesFor(setting.version ?? '')
    return found ? findingAbout(found.map((id) => ({ label: id }))) : 'unknown'
  },
}

const secondFactorMissing: Check = {
  name: 'second_factor_missing',
  severity: 'warning',
  link: links.users,
  find({ setting, users }) {
    if (!setting.wheelhouse?.second_factor) return 'unknown'
    const without = users.filter(({ second_factor }) => !second_factor)
    return findingAbout(without.map(({ id, username }) => ({ label: nameOf({ id, name: username }) })))
  },
}

/** A password can be guessed and leaked while everybody signs in at a provider that asks for more. */
const passwordBesideOauth2: Check = {
  name: 'password_beside_oauth2',
  severity: 'warning',
  link: links.users,
  find({ setting, users }) {
    if (!setting.config.oauth2_providers?.length) return 'nothing'
    const withPassword = users.filter(({ reject_password }) => !reject_password)
    return findingAbout(withPassword.map(({ id, username }) => ({ label: nameOf({ id, name: username }) })))
  },
}

/** The setting `session_binding` is "everywhere": a stolen session works from any network. */
const unboundSessions: Check = {
  name: 'unbound_sessions',
  severity: 'warning',
  link: links.settings,
  find({ setting }) {
    return setting.config.session_binding === 3 ? { subjects: [] } : 'nothing'
  },
}

const uncheckedCertificates: Check = {
  name: 'unchecked_certificates',
  severity: 'warning',
  link: links.notifiers,
  find({ notifiers }) {
    const unchecked = notifiers.filter(({ verify_tls }) => verify_tls !== true)
    return findingAbout(unchecked.map((one) => ({ label: nameOf(one), to: `notification/${one.id}` })))
  },
}

const privateTargets: Check = {
  name: 'private_targets',
  severity: 'warning',
  link: links.notifiers,
  find({ server }) {
    if (!server) return 'unknown'
    return server.private_targets ? { subjects: [] } : 'nothing'
  },
}

/** A server backs up its database by schedule only where a folder for backups is configured. */
const backups: Check = {
  name: 'backups',
  severity: 'warning',
  link: { to: 'settings/audit', labelKey: 'resources.audit.name' },
  find({ server }) {
    if (!server?.backups) return 'unknown'
    const { scheduled, failure } = server.backups
    if (!scheduled) return { subjects: [], noteKey: 'app.security.no_backups' }
    return findingAbout(failure ? [{ label: failure.message, at: Date.parse(failure.at) }] : [])
  },
}

const daySeconds = 86_400
/** Failed sign-ins with a password and with a provider (docs/contract/CONTRACT.md#6-enumerations). */
const reasons = [1, 5]

/** The audit log has all failures; the list of blocked addresses only those not followed by a successful sign-in. */
const failedSignIns: Check = {
  name: 'failed_sign_ins',
  severity: 'info',
  link: links.blocks,
  find({ server, blocks, now }) {
    const noteKey = server && !server.complete ? 'app.security.log_too_long' : undefined
    if (server) {
      return findingAbout(
        server.failed_sign_ins.map(({ address, count }) => ({ label: address || '?', count })),
        noteKey,
      )
    }
    const since = now / 1000 - daySeconds
    const recent = blocks.filter(
      ({ block_reason = 0, block_timestamp = 0 }) => reasons.includes(block_reason) && block_timestamp >= since,
    )
    return findingAbout(recent.map(({ ip, count }) => ({ label: ip, count })))
  },
}

/** Whoever owns a server may open a terminal on it and run tasks there, usually as root. */
const membersWithCommands: Check = {
  name: 'members_with_commands',
  severity: 'info',
  link: links.servers,
  find({ users, servers }) {
    const members = users.filter(({ role }) => role === roles.user)
    // Older servers do not say whose a server is.
    if (members.length > 0 && servers.length > 0 && servers.every(({ owner }) => !owner)) return 'unknown'
    const owned = members.map(({ id, username }) => ({
      label: nameOf({ id, name: username }),
      count: servers.filter(({ owner }) => owner?.id === id).length,
    }))
    return findingAbout(owned.filter(({ count }) => count > 0))
  },
}

/** Agents whose own setting does not forbid something. */
const agentsWithout = (setting: string): Check['find'] =>
  function find({ servers, agents }) {
    if (!agents?.size) return 'unknown'
    const open = servers.filter(({ id }) => agents.has(id) && agents.get(id)?.[setting] !== true)
    const noteKey = agents.size < servers.length ? 'app.security.agents_silent' : undefined
    return findingAbout(
      open.map((server) => ({ label: nameOf(server) })),
      noteKey,
    )
  }

const agentsWithCommands: Check = {
  name: 'agents_with_commands',
  severity: 'info',
  link: links.servers,
  needsAgents: true,
  find: agentsWithout('disable_command_execute'),
}

const agentsWithNat: Check = {
  name: 'agents_with_nat',
  severity: 'info',
  link: links.servers,
  needsAgents: true,
  find: agentsWithout('disable_nat'),
}

/** Attackers who guess passwords begin with the user name of new installations. */
const defaultAdminName: Check = {
  name: 'default_admin_name',
  severity: 'info',
  link: { to: 'profile', labelKey: 'app.shell.profile' },
  find({ users }) {
    const admins = users.filter(({ username = '', role }) => role === roles.admin && username.toLowerCase() === 'admin')
    return findingAbout(admins.map(({ id, username }) => ({ label: nameOf({ id, name: username }) })))
  },
}

const interpreter =
  '(?:[\\w/]{0,40}/)?(?:(?:ba|z|da|k|a|fi)?sh|python[\\d.]{0,5}|perl|ruby|node|php|iex|pwsh|powershell)\\b'
const asRoot = '(?:sudo\\s{1,9}(?:-\\w{1,9}\\s{1,9}){0,3})?(?:env\\s{1,9})?'

const download = /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b/i
const decoding = /\bbase64\s{1,9}(?:-d|-D|--decode)\b/
const pipedToInterpreter = new RegExp(`\\|\\s{0,9}${asRoot}${interpreter}`, 'i')
const substituted = new RegExp(
  `(?:${interpreter}[^\\n;|&]{0,40}?|\\beval\\b|\\bsource\\b|(?:^|[\\s;])\\.)\\s{0,9}["']?(?:<\\(|\\$\\(|\`)\\s{0,9}(?:curl|wget)\\b`,
  'i',
)
/** The file that was fetched before it: made executable, given to an interpreter, or started. */
const started = new RegExp(
  `(?:;|&&|\\n)\\s{0,9}${asRoot}(?:chmod\\s{1,9}(?:\\S{0,9}\\+x|[0-7]?[1357][0-7]{2}|[0-7]?7[0-7]{2})\\b|${interpreter}\\s{1,9}(?!-c)\\S|\\.?/\\S)`,
  'i',
)

/** The text after the first match, so that each pattern reads a long command only once. */
function restAfter(text: string, pattern: RegExp): string | undefined {
  const at = text.search(pattern)
  return at < 0 ? undefined : text.slice(at)
}

/** Text key of the risk of a command; `undefined` without one. It only matches patterns, which can be evaded. */
export function riskOf(command: string): string | undefined {
  if (command.includes('authorized_keys')) return 'app.security.reasons.ssh_keys'
  const fetched = restAfter(command, download)
  if (fetched !== undefined) {
    const isRun = pipedToInterpreter.test(fetched) || started.test(fetched) || substituted.test(command)
    if (isRun) return 'app.security.reasons.download'
  }
  const decoded = restAfter(command, decoding)
  if (decoded !== undefined && pipedToInterpreter.test(decoded)) return 'app.security.reasons.encoded'
  return undefined
}

/** Commands that intruders typically store: ones that fetch their program, or give them access by SSH. */
const riskyCommands: Check = {
  name: 'risky_commands',
  severity: 'error',
  link: links.tasks,
  find: ({ tasks }) =>
    findingAbout(
      tasks.flatMap((task) => {
        const reasonKey = riskOf(task.command ?? '')
        return reasonKey ? [{ label: nameOf(task), to: `cron/${task.id}`, reasonKey }] : []
      }),
    ),
}

const weekMs = 7 * 86_400_000
/** A run sets `updated_at` too: an update this close to the last run is no change. */
const runMs = 120_000

/** The last change of a task by its timestamps; a change before the last run does not show in them. */
function changedAt({ created_at = '', updated_at = '', last_executed_at = '' }: TaskFacts): number {
  const [created, updated, run] = [created_at, updated_at, last_executed_at].map((time) => Date.parse(time) || 0)
  const isRun = Math.abs((updated as number) - (run as number)) < runMs
  return Math.max(created as number, isRun ? 0 : (updated as number))
}

/** The audit log has more than the timestamps, but is rotated: so both are used. */
export const changedTasks: Check = {
  name: 'changed_tasks',
  severity: 'info',
  link: links.tasks,
  find({ tasks, server, now }) {
    const recorded = new Map(server?.changed_tasks.map((change) => [change.id, change]))
    const subjects = tasks.flatMap((task) => {
      const record = recorded.get(task.id)
      const at = record ? Date.parse(record.at) : changedAt(task)
      if (now - at > weekMs) return []
      return [{ label: nameOf(task), to: `cron/${task.id}`, at, username: record?.username }]
    })
    const noteKey = server && !server.complete ? 'app.security.log_too_long' : undefined
    return findingAbout(subjects, noteKey)
  },
}

/** Everything that the security page looks for, the worst first. */
export const checks: readonly Check[] = [
  plainHttp,
  oldVersion,
  riskyCommands,
  secondFactorMissing,
  passwordBesideOauth2,
  unboundSessions,
  uncheckedCertificates,
  privateTargets,
  backups,
  changedTasks,
  failedSignIns,
  membersWithCommands,
  agentsWithCommands,
  agentsWithNat,
  defaultAdminName,
]
