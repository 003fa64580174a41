import type { AgentVersion } from './agentVersions.ts'

/** The settings of an agent, with the keys and the order of its reports (docs/contract/AGENT.md#9-configuration-update-transfer). */
export interface AgentSettings {
  debug: boolean
  server: string
  client_secret: string
  uuid: string
  hard_drive_partition_allowlist?: string[]
  nic_allowlist?: Record<string, boolean>
  dns?: string[]
  gpu: boolean
  temperature: boolean
  skip_connection_count: boolean
  skip_procs_count: boolean
  disable_auto_update: boolean
  disable_force_update: boolean
  disable_command_execute: boolean
  /** Seconds. */
  report_delay: number
  tls: boolean
  insecure_tls: boolean
  use_ipv6_country_code: boolean
  use_gitee_to_upgrade: boolean
  /** Only agents of 2.x. */
  use_atomgit_to_upgrade?: boolean
  disable_nat: boolean
  disable_send_query: boolean
  /** Seconds. */
  ip_report_period: number
  /** Minutes. */
  self_update_period: number
  custom_ip_api?: string[]
}

export function defaultSettings(version: AgentVersion): AgentSettings {
  return {
    debug: false,
    server: '',
    client_secret: '',
    uuid: '',
    gpu: false,
    temperature: false,
    skip_connection_count: false,
    skip_procs_count: false,
    disable_auto_update: false,
    disable_force_update: false,
    disable_command_execute: false,
    report_delay: 3,
    tls: false,
    insecure_tls: false,
    use_ipv6_country_code: false,
    use_gitee_to_upgrade: false,
    ...(version.startsWith('2') && { use_atomgit_to_upgrade: false }),
    disable_nat: false,
    disable_send_query: false,
    ip_report_period: 1800,
    self_update_period: 0,
  }
}

/**
 * What a task 13 makes of the present settings.
 * @throws Error with the agent's words when it refuses them
 */
export function mergeSettings(present: AgentSettings, text: string): AgentSettings {
  const given = parseJson(text)
  if (Array.isArray(given)) throw new Error(unmarshalText('array'))
  if (given !== null && typeof given !== 'object') {
    throw new Error(unmarshalText(typeof given === 'boolean' ? 'bool' : typeof given))
  }
  const merged = { ...present, ...(given as Partial<AgentSettings> | null) }
  if (merged.client_secret !== present.client_secret) {
    throw new Error('ApplyConfig rejected: client_secret rotation must use TaskTypeServerTransferApply')
  }
  merged.report_delay ||= 3
  if (merged.report_delay < 1 || merged.report_delay > 4) throw new Error('report-delay ranges from 1-4')
  merged.ip_report_period = Math.max(merged.ip_report_period || 1800, 30)
  for (const url of merged.custom_ip_api ?? []) {
    if (!/^https?:\/\//.test(url)) throw new Error(`custom_ip_api entry "${url}" must use http or https scheme`)
  }
  return merged
}

const unmarshalText = (kind: string) => `json: cannot unmarshal ${kind} into Go value of type model.AgentConfig`

/** @throws Error with the words of the agent's JSON parser, for a text that is wrong from its beginning */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const first = text.trimStart()[0]
    if (first === undefined) throw new Error('unexpected end of JSON input')
    throw new Error(`invalid character '${first}' looking for beginning of value`)
  }
}
