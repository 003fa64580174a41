import type { Messages } from '../site/messages.ts'
import { type Incident, keyOf, type Part } from './incident.ts'
import { incidentTitle } from './incidentTitle.ts'

/** An incident as a notifier group sees it. */
export interface SeenIncident {
  id: number
  title: string
  /** The keys of the parts that are causes. */
  causes: ReadonlySet<string>
  /** Who has resolved it by hand; '' for nobody. */
  resolvedBy: string
}

/** @param isVisible whether the owner of the group may see a part */
export function seenIncident(incident: Incident, isVisible: (part: Part) => boolean, messages: Messages): SeenIncident {
  const parts = incident.parts.filter(isVisible)
  const isWhole = parts.length === incident.parts.length
  const resolved = isWhole ? incident.entries.find(({ kind }) => kind === 'resolved') : undefined
  return {
    id: incident.id,
    title: isWhole ? incident.title : incidentTitle({ parts }, messages),
    causes: new Set(parts.filter(({ role }) => role === 'cause').map(keyOf)),
    resolvedBy: resolved?.name ? String(resolved.name) : '',
  }
}
