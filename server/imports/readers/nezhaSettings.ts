import { LineCounter, parseDocument } from 'yaml'
import { type Problem, problemText } from '../../../src/domain/configuration/problem.ts'
import { yamlProblems } from '../../../src/domain/configuration/yamlProblem.ts'
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
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [problem] = yamlProblems(text, { errors: document.errors, warnings: [] }, (offset) => {
    const { line, col } = lineCounter.linePos(offset)
    return { line, column: col }
  })
  if (problem) throw refusalOf(problem)
  // Without aliases, of which a short text could make a very long one.
  const file = objectIn(toValue(() => document.toJS({ maxAliasCount: 0 })))
  if (!file) throw refusalOf({ code: 'not_mapping', args: {} })
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
  } catch {
    throw refusalOf({ code: 'alias', args: {} })
  }
}

/** The problem by its code, for the console, which has it in its languages, and as an English sentence: `reason`. */
function refusalOf({ code, args: { reason: words, ...args }, at }: Problem): ImportRefusal {
  const given = { ...args, ...at, ...(words !== undefined && { words }) }
  const values = Object.entries(given).map(([name, value]) => [name, String(value)])
  const reason = problemText({ code, args: { ...args, reason: words }, ...(at && { at }) })
  return new ImportRefusal('bad_settings', { ...Object.fromEntries(values), problem: code, reason })
}
