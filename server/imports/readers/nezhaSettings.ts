import { parseDocument } from 'yaml'
import type { Values } from '../../../src/schemas/define/values.ts'
import { ImportRefusal, type Skipped } from './importData.ts'
import { objectIn } from './readRows.ts'

/** What the settings file of Nezha has for this server. */
interface NezhaSettings {
  settings: Values
  /** A further secret of agents; '' without one. */
  agentSecret: string
}

/** The settings that mean here what they mean there. */
const sameNames = [
  'site_name',
  'custom_code',
  'custom_code_dashboard',
  'install_host',
  'tls',
  'dns_servers',
  'dashboard_host',
  'reserved_hosts',
  'enable_ip_change_notification',
  'ip_change_notification_group_id',
  'cover',
  'ignored_ip_notification',
  'enable_plain_ip_in_notification',
  'enable_mcp',
] as const

/** Behind another proxy, they would lock everybody out. */
const ofProxy = ['web_real_ip_header', 'agent_real_ip_header', 'real_ip_header'] as const

/**
 * Reads `config.yaml`. Versions write its keys with underscores or without.
 * @param text '' for none
 * @throws ImportRefusal
 */
export function readNezhaSettings(text: string, skipped: Skipped[]): NezhaSettings {
  if (text.trim() === '') return { settings: {}, agentSecret: '' }
  const document = parseDocument(text)
  const [error] = document.errors
  if (error) throw new ImportRefusal('bad_settings', { reason: error.message.split('\n')[0] ?? '' })
  // Without aliases, of which a short text could make a very long one.
  const file = objectIn(toValue(() => document.toJS({ maxAliasCount: 0 })))
  if (!file) throw new ImportRefusal('bad_settings', { reason: 'it is no list of settings' })
  const byName = new Map(Object.entries(file).map(([name, value]) => [plain(name), value]))
  const given = (name: string) => byName.get(plain(name))
  for (const name of ofProxy) {
    if (given(name)) skipped.push({ entity: 'setting', name, code: 'depends_on_proxy' })
  }
  const settings = sameNames.flatMap((name) => {
    const value = given(name)
    return value === undefined || value === null || value === '' ? [] : [[name, value] as const]
  })
  const language = String(given('language') ?? '').replace('_', '-')
  const secret = given('agent_secret_key')
  return {
    settings: { ...Object.fromEntries(settings), ...(language && { language }) },
    agentSecret: typeof secret === 'string' ? secret : '',
  }
}

const plain = (name: string) => name.toLowerCase().replaceAll('_', '')

function toValue(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    throw new ImportRefusal('bad_settings', { reason: error instanceof Error ? error.message : '' })
  }
}
