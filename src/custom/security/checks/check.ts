import type { Values } from '../../../schemas/define/values.ts'
import type { SecurityFacts as ServerFacts } from '../../../schemas/endpoints/securityEndpoints.ts'
import type { Setting } from '../../../schemas/settings/setting.ts'

/** What checks examine: what the server sends to an administrator, and how this browser reached it. */
export interface SecurityFacts {
  /** Milliseconds since 1970. */
  now: number
  /** `location.protocol` and `location.hostname` of this browser. */
  page: { protocol: string; hostname: string }
  setting: Setting
  users: readonly { id: number; username?: string; role?: number; reject_password?: boolean; second_factor?: boolean }[]
  servers: readonly { id: number; name?: string; owner?: { id: number }; last_active?: string }[]
  tasks: readonly TaskFacts[]
  notifiers: readonly { id: number; name?: string; verify_tls?: boolean }[]
  /** The first 1,000 rows of the list. `block_timestamp`: seconds since 1970. */
  blocks: readonly { ip: string; count?: number; block_reason?: number; block_timestamp?: number }[]
  /** Where the server has `wheelhouse.security_facts`. */
  server?: ServerFacts
  /** The settings of agents by id of their server, once they were asked for; without those that did not answer. */
  agents?: ReadonlyMap<number, Values>
}

export interface TaskFacts {
  id: number
  name?: string
  command?: string
  created_at?: string
  updated_at?: string
  last_executed_at?: string
}

/** Somebody or something that a finding is about. */
export interface Subject {
  label: string
  /** Below `/dashboard`. */
  to?: string
  /** Key of a text behind the label. */
  reasonKey?: string
  /** Milliseconds since 1970. */
  at?: number
  /** Who did it. */
  username?: string
  /** How often. */
  count?: number
}

export interface Finding {
  subjects: readonly Subject[]
  /** Key of a text that says what could not be looked at. */
  noteKey?: string
}

/** `unknown`: this server does not say what the check needs. */
export type Outcome = Finding | 'nothing' | 'unknown'

/** One thing that the security page looks for. Its texts are `title` and `remedy` in `app.security.checks.<name>`. */
export interface Check {
  name: string
  severity: 'error' | 'warning' | 'info'
  /** Where the remedy is: a screen below `/dashboard`, and the key of its name. */
  link: { to: string; labelKey: string }
  /** Whether it needs the settings of the agents, which are asked for only when somebody wants that. */
  needsAgents?: boolean
  find(facts: SecurityFacts): Outcome
}

/** A finding about these, if there are any. */
export const findingAbout = (subjects: readonly Subject[], noteKey?: string): Outcome =>
  subjects.length > 0 ? { subjects, noteKey } : 'nothing'

/** `admin #1` */
export const nameOf = ({ id, name }: { id: number; name?: string }): string => (name ? `${name} #${id}` : `#${id}`)

export const links = {
  users: { to: 'settings/user', labelKey: 'resources.user.name' },
  tasks: { to: 'cron', labelKey: 'resources.cron.name' },
  servers: { to: '', labelKey: 'resources.server.name' },
  notifiers: { to: 'notification', labelKey: 'resources.notification.name' },
  blocks: { to: 'settings/waf', labelKey: 'resources.waf.name' },
  settings: { to: 'settings', labelKey: 'app.shell.settings' },
} as const
