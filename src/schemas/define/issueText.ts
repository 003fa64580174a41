import type { z } from 'zod'
import type { Values } from './values.ts'

/** One English sentence about what a schema refuses, as `name must not be empty`. @param given the whole form */
export function issueText(issue: z.core.$ZodIssue, given: Values): string {
  const field = issue.path.join('.')
  if (given[String(issue.path[0])] === undefined) return `${field} is missing`
  switch (issue.code) {
    case 'invalid_type':
      return `${field} must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? `${field} must not be empty`
        : `${field} must ${measure[issue.origin] ?? 'be'} at least ${issue.minimum}${unit[issue.origin] ?? ''}`
    case 'too_big':
      return `${field} must ${measure[issue.origin] ?? 'be'} at most ${issue.maximum}${unit[issue.origin] ?? ''}`
    case 'invalid_format':
      return `${field} is not a valid ${issue.format}`
    case 'custom':
      return `${field}: ${customText(issue.params) ?? 'this value is not allowed'}`
    default:
      return `${field}: ${issue.message}`
  }
}

/** The words of a schema's own rule, which names them by a key. */
function customText(params: Values = {}): string | undefined {
  const text = validationWords[String(params.key).replace('validation.', '')]
  return text?.replace(/%\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
}

const measure: Readonly<Record<string, string>> = { string: 'have', array: 'have' }
const unit: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

/**
 * The English of what is wrong with a value, by the end of its key: for the API and the command line, which have no
 * translator. A test holds them to the texts of the console.
 */
export const validationWords: Readonly<Record<string, string>> = {
  required: 'Required',
  min_length: 'Must be at least %{min} characters',
  max_length: 'Must be at most %{max} characters',
  min_entries: 'Must have at least %{min} entries',
  max_entries: 'Must have at most %{max} entries',
  min_value: 'Must be at least %{min}',
  max_value: 'Must be at most %{max}',
  integer: 'Must be a whole number',
  number: 'Must be a number',
  url: 'Must be a web address starting with http:// or https://',
  moment: 'Must be a complete date and time',
  json: 'Invalid JSON string',
  signing_secret: 'Must be whsec_ and 24 to 64 bytes in base64',
  no_events_by_mail: 'Events are not sent by mail: use a web address',
  text_pairs: 'Must be a JSON object with text values, such as {"X-Token": "abc"}',
  text_list: 'Invalid JSON string: must be a list of texts, such as ["/", "/home"]',
  flag_map: 'Invalid JSON string: must be names with true or false, such as {"eth0": true}',
  domain: '“%{domain}” is not a domain name',
  host_port: 'Must be a host with its port, such as 127.0.0.1:8080',
  host_name: 'Must be a host name, such as nas.example.org',
  visible_name: 'Contains characters that cannot be seen: remove them',
  header_name: 'Must be the name of an HTTP header, such as X-Real-IP',
  header_value:
    'Has characters that HTTP headers cannot have: letters, digits and signs of Western languages only, in one line',
  choice: 'Choose one of the listed values',
  not_copied: 'Enter it again, or tick that the copy is created without it',
  invalid: 'This value is not valid',
  machine_name: 'This is not the name of the machine',
  mail_url:
    'Needs a sender and up to 20 recipients: smtps://user:password@mail.example.org:465/?from=a@example.org&to=b@example.org. Write special characters of user and password as %40, %2F and so on.',
  target_icmp: 'Must be a host name or an IP address, without a port',
  target_tcp: 'Must be a host and a port, such as example.com:443',
  status_codes: 'Must be codes of HTTP, such as 200-299,401',
  json_path: 'Must be a path such as $.data[0].name, without filters and scripts',
  json_object: 'Must be an object in JSON, such as {"ping": 1}',
  pem: 'Must be in PEM: it begins with -----BEGIN',
  http_proxy: 'Must be a proxy such as http://proxy.example.org:3128, without a password',
  escapes: 'Write bytes as \\x00, and a backslash as \\\\',
  socket_url: 'Must be an address such as wss://example.com/live',
  quorum: 'Must be a number such as 2, or a share such as 30%',
  local_time: 'Choose a day and a time',
  time_zone: 'Not a time zone; it needs a name such as Europe/Rome',
  window_too_long: 'At most %{max} minutes, so that it ends before the next one begins',
  time_of_day: 'Must be a time such as 09:30',
  both_times: 'Choose both times, or none',
  day: 'Choose a day',
  currency: 'Must be a code of three letters, such as EUR',
  override_days: 'The last day is before the first',
  escalation_steps: 'Each step needs somebody to tell, and more minutes than the one before',
  cover_alarmed: 'Scheduled tasks cannot be triggered by alarms: choose other servers',
  cron_empty: 'Enter a cron expression',
  cron_fields: 'Needs 6 fields: second, minute, hour, day of month, month, day of week. Found: %{found}',
  cron_low: '“%{part}” starts below %{least}, the minimum of this field',
  cron_high: '“%{part}” goes above %{most}, the maximum of this field',
  cron_backwards: '“%{part}” ends before it starts',
  cron_step: 'The step of “%{part}” must be at least 1',
  cron_hyphens: '“%{part}” has too many hyphens',
  cron_slashes: '“%{part}” has too many slashes',
  cron_number: '“%{part}” is not a valid number here',
  cron_descriptor: '“%{part}” is unknown. Use @hourly, @daily, @weekly, @monthly, @yearly or @every',
  cron_duration: '@every needs a duration, such as 90s, 5m or 1h30m',
  cron_zone: 'There is no time zone “%{zone}”',
  rules_missing: 'Add at least one rule',
  rule_field: 'Rule %{rule}: “%{field}” is missing or invalid',
  rule_samples: 'Rule %{rule}: needs at least 3 samples',
  rule_interval: 'Rule %{rule}: the cycle must have a length of at least 1',
  rule_start: 'Rule %{rule}: set the start of the cycle',
  rule_moment: 'Rule %{rule}: write the start of the cycle as 2025-01-01T00:00:00Z',
  rule_recovery: 'Rule %{rule}: “%{field}” must not be beyond “%{bound}”',
}
