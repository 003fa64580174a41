import { z } from 'zod'
import { defineEntity } from '../define/entity.ts'
import { choice, facts, flag, limits, line, multiline, name, refOrNone } from '../define/fields.ts'

/** The value of a real-IP header that stands for "the other end of the connection". */
export const usePeerAddress = 'NZ::Use-Peer-IP'

/** The name of an HTTP header, the special value, or nothing. */
export const isHeaderName = (text: string) => text === usePeerAddress || /^[!#$%&'*+.^_`|~\w-]*$/.test(text)

const headerName = () =>
  line(limits.name)
    .refine(isHeaderName, { params: { key: 'validation.header_name' } })
    .optional()

/** Minutes, and the names of their texts. */
export const reauthenticationMinutes = { 0: 'never', 5: 'five', 15: 'fifteen', 60: 'sixty' } as const

/** What a session is bound to, and the names of their texts. */
export const sessionBindings = { 1: 'strict', 2: 'network', 3: 'none' } as const

/** Which terminals are recorded, and the names of their texts. */
export const terminalRecordings = { 1: 'none', 2: 'button', 3: 'all' } as const

const looseRow = z.looseObject({})

/** Servers up to v1.11 know one header for everything, under another name; screens know it by today's. */
const realIpHeader = z.codec(looseRow, looseRow, {
  decode: (row) => ({ ...row, web_real_ip_header: row.web_real_ip_header ?? row.real_ip_header ?? '' }),
  encode: (row) => row,
})

/** Comma-separated values in one text. */
const texts = () => line(limits.note).optional()

/**
 * What administrators set for the whole site (`PATCH /setting`). Servers replace all of it: a key that is left out is
 * cleared. What `config` has besides these is sent back as it came.
 *
 * Not in the index of entities, because only its form is used.
 */
export const siteSetting = defineEntity({
  name: 'setting',
  nameField: 'site_name',
  form: z.object({
    site_name: name(),
    language: line().min(2),
    /** Path of the visitor site's theme, out of `frontend_templates`. */
    user_template: line().min(1),
    custom_code: multiline(limits.body).optional(),
    custom_code_dashboard: multiline(limits.body).optional(),
    /** Host and port to which agents connect. */
    install_host: line(limits.host).optional(),
    tls: flag().optional(),
    dns_servers: texts(),
    dashboard_host: line(limits.host).optional(),
    /** Host names that NAT profiles may not take. */
    reserved_hosts: texts(),
    web_real_ip_header: headerName(),
    agent_real_ip_header: headerName(),
    enable_ip_change_notification: flag().optional(),
    ip_change_notification_group_id: refOrNone('notification-group').default(0),
    cover: choice({ 1: 'exclude', 2: 'only' }).default(1),
    /** Ids of servers: the exceptions, or the only ones, as `cover` says. */
    ignored_ip_notification: texts().register(facts, { mentions: [{ to: 'server' }] }),
    enable_plain_ip_in_notification: flag().optional(),
    enable_mcp: flag().optional(),
    /** How many records of each entity a member may have. Only the embedded server knows it. */
    records_per_member: z.int().min(1).max(100_000).default(1_000).optional(),
    /** The rest: embedded server only. Whether everybody has to set up a second factor. */
    require_second_factor: flag().optional(),
    /** After how many minutes people are asked again who they are; 0: never. */
    reauthentication_minutes: choice(reauthenticationMinutes).default(15),
    /** Whether those without a second factor are asked too, for their password. */
    reauthentication_everybody: flag().optional(),
    /** What checks of services say who they are. Empty: the usual. */
    check_user_agent: line(limits.shortText)
      .refine((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text), { params: { key: 'validation.header_value' } })
      .optional(),
    /** From where a session works: the address of its sign-in, the network around it, or everywhere. */
    session_binding: choice(sessionBindings).default(2),
    /** Whether the sign-in page shows user name and password only after a click, where people can sign in at providers. */
    hide_password_form: flag().optional(),
    /** Minutes for which the shell of a terminal goes on without a browser; 0: it ends. A day at most. */
    terminal_hold_minutes: z.int().min(0).max(1440).default(10),
    /** Which terminals are recorded: none, those whose owner wants it, or all. */
    terminal_recording: choice(terminalRecordings).default(1),
    /** Ids of servers whose terminals are recorded in any case. */
    recorded_servers: texts().register(facts, { mentions: [{ to: 'server' }] }),
    /** Days for which recordings are kept. */
    recording_days: z.int().min(1).max(3650).default(30),
    /** Minutes between two questions to a machine about what alert rules watch. A day at most. */
    inspect_minutes: z.int().min(1).max(1440).default(5),
  }),
  // Set by the server itself; values that are sent are ignored.
  computed: z.object({
    admin_template: z.string().optional(),
    oauth2_providers: z.array(z.string()).nullish(),
    ignored_ip_notification_server_ids: z.record(z.string(), z.boolean()).nullish(),
  }),
  id: 'site_name',
  access: { update: 'admin' },
  api: {
    verbs: ['update'],
    row: realIpHeader,
    // Older servers read one key, newer ones the other; each ignores the key that it does not know.
    send: (body) => ({ ...body, real_ip_header: body.web_real_ip_header ?? '' }),
  },
})

export type SiteSettingKey = Extract<keyof typeof siteSetting.form.shape, string>

/** Settings that only the embedded server has. A form of another console leaves them out, and they stay as they are. */
export const ownSettingKeys = [
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
] as const satisfies readonly SiteSettingKey[]
