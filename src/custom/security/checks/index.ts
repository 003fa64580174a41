import { roles } from '../../../schemas/define/access.ts'
import { advisoriesFor, advisoriesUrl } from './advisories.ts'
import { changedTasks } from './changedTasks.ts'
import { type Check, findingAbout, links, nameOf } from './check.ts'
import { riskyCommands } from './riskyCommands.ts'

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
