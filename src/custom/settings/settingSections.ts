import type { Setting } from '../../schemas/settings/setting.ts'
import type { SiteSettingKey } from '../../schemas/settings/siteSetting.ts'

/** The settings by subject, in the order of the page. */
const sections: Readonly<Record<string, readonly SiteSettingKey[]>> = {
  site: ['site_name', 'language', 'user_template'],
  agents: ['install_host', 'tls', 'dns_servers'],
  hosts: ['dashboard_host', 'reserved_hosts', 'enable_mcp'],
  addresses: ['web_real_ip_header', 'agent_real_ip_header'],
  notices: [
    'enable_ip_change_notification',
    'ip_change_notification_group_id',
    'cover',
    'ignored_ip_notification',
    'enable_plain_ip_in_notification',
  ],
  code: ['custom_code_dashboard', 'custom_code'],
}

const newer: readonly SiteSettingKey[] = ['agent_real_ip_header', 'dashboard_host', 'reserved_hosts', 'enable_mcp']

/**
 * The sections with those settings that the server has. Servers leave empty values out, so a key that is absent says
 * nothing; but those that have `tsdb_enabled` know the newer keys, too.
 */
export function sectionsOf({ config, tsdb_enabled }: Setting): [section: string, keys: readonly SiteSettingKey[]][] {
  const isKnown = (key: SiteSettingKey) => !newer.includes(key) || key in config || tsdb_enabled !== undefined
  return Object.entries(sections)
    .map(([section, keys]): [string, readonly SiteSettingKey[]] => [section, keys.filter(isKnown)])
    .filter(([, keys]) => keys.length > 0)
}

/** Whether the server only keeps a setting, and acts on it in no way. Other servers than ours act on all of them. */
export function isUnused({ wheelhouse }: Setting, key: SiteSettingKey): boolean {
  const inUse = wheelhouse?.settings_in_use
  return inUse !== undefined && !inUse.includes(key)
}
