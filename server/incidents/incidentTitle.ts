import type { Messages } from '../site/messages.ts'
import type { Incident, Part } from './incident.ts'

/** What an incident is called: its only cause by its name, many that are alike by what they share. */
export function incidentTitle({ parts }: Pick<Incident, 'parts'>, messages: Messages): string {
  const causes = parts.filter(({ role }) => role === 'cause')
  const [first] = causes.length > 0 ? causes : parts
  if (!first) return ''
  const names = new Set(causes.map(({ name }) => name))
  if (names.size <= 1) return first.name
  const gone = causes.filter(({ is_gone }) => is_gone)
  if (gone.length > 0 && gone.length < causes.length) {
    const others = new Set(causes.flatMap(({ is_gone, name }) => (is_gone ? [] : name)))
    return messages('incident_and_more', { name: incidentTitle({ parts: gone }, messages), more: others.size })
  }
  return (
    titleOfAlike(causes, first, messages) ?? messages('incident_and_more', { name: first.name, more: names.size - 1 })
  )
}

function titleOfAlike(causes: readonly Part[], first: Part, messages: Messages): string | undefined {
  const servers = new Set(causes.map(({ server_id }) => server_id)).size
  // A rule and the console have noticed the same.
  if (servers === 1 && causes.every(({ is_gone }) => is_gone)) return first.name
  const rules = new Set(causes.map(({ rule_name }) => rule_name))
  if (causes.every(({ is_gone }) => is_gone)) return messages('incident_servers_gone', { count: servers })
  if (causes.every(({ kind }) => kind === 'alarm') && rules.size === 1) {
    return messages('incident_rule_on_servers', { rule: first.rule_name, count: servers })
  }
  const hosts = new Set(causes.map(({ host }) => host))
  if (causes.every(({ kind }) => kind === 'outage') && hosts.size === 1 && first.host) {
    return messages('incident_services_at_host', { host: first.host, count: causes.length })
  }
  return undefined
}
