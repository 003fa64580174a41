import type { Setting } from '../../schemas/settings/setting.ts'
import type { SiteSettingKey } from '../../schemas/settings/siteSetting.ts'

/** The sections of the settings page, in order. */
const sections: Readonly<Record<string, readonly SiteSettingKey[]>> = {
  site: ['site_name', 'language', 'user_template'],
  agents: ['install_host', 'tls', 'dns_servers'],
  hosts: ['dashboard_host', 'reserved_hosts', 'enable_mcp'],
  addresses: ['web_real_ip_header', 'agent_real_ip_header'],
  sign_in: ['session_binding', 'hide_password_form'],
  second_factor: ['require_second_factor', 'reauthentication_minutes', 'reauthentication_everybody'],
  notifications: [
    'enable_ip_change_notification',
    'ip_change_notification_group_id',
    'cover',
    'ignored_ip_notification',
    'enable_plain_ip_in_notification',
  ],
  terminals: ['terminal_hold_minutes', 'terminal_recording', 'recorded_servers', 'recording_days'],
  checks: ['check_user_agent'],
  alert_rules: ['inspect_minutes'],
  members: ['records_per_member'],
  code: ['custom_code_dashboard', 'custom_code'],
}

const newerSettings: readonly SiteSettingKey[] = [
  'agent_real_ip_header',
  'dashboard_host',
  'reserved_hosts',
  'enable_mcp',
]

/** Nezha servers do not know them. */
const ownSettings: readonly SiteSettingKey[] = [
  'records_per_member',
  'require_second_factor',
  'reauthentication_minutes',
  'reauthentication_everybody',
  'check_user_agent',
  'session_binding',
  'hide_password_form',
  'terminal_hold_minutes',
  'terminal_recording',
  'recorded_servers',
  'recording_days',
  'inspect_minutes',
]

/**
 * The sections with the settings that the server has. Servers leave out empty values, so a missing key alone does not
 * prove anything; but servers with `tsdb_enabled` also have the newer settings.
 */
export function sectionsOf({
  config,
  tsdb_enabled,
  wheelhouse,
}: Setting): [section: string, keys: readonly SiteSettingKey[]][] {
  function isKnown(key: SiteSettingKey): boolean {
    if (ownSettings.includes(key)) return wheelhouse?.settings_in_use?.includes(key) ?? false
    return !newerSettings.includes(key) || key in config || tsdb_enabled !== undefined
  }
  return Object.entries(sections)
    .map(([section, keys]): [string, readonly SiteSettingKey[]] => [section, keys.filter(isKnown)])
    .filter(([, keys]) => keys.length > 0)
}

/** Whether the server stores a setting without using it. Nezha servers use all of them. */
export function isUnused({ wheelhouse }: Setting, key: SiteSettingKey): boolean {
  const inUse = wheelhouse?.settings_in_use
  return inUse !== undefined && !inUse.includes(key)
}
