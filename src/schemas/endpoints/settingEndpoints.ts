import { z } from 'zod'
import { bodyLimits, endpoint } from '../define/endpoint.ts'

const text = () => z.string().optional()
const optionalBoolean = () => z.boolean().optional()

/** `PATCH /setting` as servers read it: types and no rules, for stored values may be older than the rules. */
const settingBody = z.looseObject({
  site_name: text(),
  language: text(),
  user_template: text(),
  custom_code: text(),
  custom_code_dashboard: text(),
  install_host: text(),
  tls: optionalBoolean(),
  dns_servers: text(),
  dashboard_host: text(),
  reserved_hosts: text(),
  web_real_ip_header: text(),
  agent_real_ip_header: text(),
  enable_ip_change_notification: optionalBoolean(),
  ip_change_notification_group_id: z.int().optional(),
  cover: z.int().optional(),
  ignored_ip_notification: text(),
  enable_plain_ip_in_notification: optionalBoolean(),
  enable_mcp: optionalBoolean(),
  records_per_member: z.int().optional(),
  require_second_factor: optionalBoolean(),
  reauthentication_minutes: z.int().optional(),
  reauthentication_everybody: optionalBoolean(),
  check_user_agent: text(),
  session_binding: z.int().optional(),
  hide_password_form: optionalBoolean(),
  terminal_hold_minutes: z.int().optional(),
  terminal_recording: z.int().optional(),
  recorded_servers: text(),
  recording_days: z.int().optional(),
  inspect_minutes: z.int().optional(),
})

/** Apart from the other calls: the first list needs none. */
export const settingEndpoints = {
  /** Replaces everything: what is left out is cleared. */
  updateSetting: endpoint('PATCH', 'setting', {
    scopes: ['nezha:admin:*'],
    body: settingBody,
    access: 'admin',
    bodyLimit: bodyLimits.customCode,
    leadsTo: 'access',
  }),
} as const
