import { consoleLink, type Messages, namesText, spanText } from '../site/messages.ts'
import type { SeenIncident } from './incident.ts'
import { type Flap, flapLimits, type ToldGroup, type ToldPart } from './toldGroups.ts'

/** What is told of an incident, in the language of the site. A link to its page is the last line of each. */
export interface MessageTexts {
  /** It has begun, or was over before it could be told. @param more lines about its server */
  began(told: ToldGroup, incident: SeenIncident, more: readonly string[]): string
  /** More belongs to it. @param parts what was not told before */
  grew(parts: readonly ToldPart[], incident: SeenIncident): string
  /** It lasts. @param message about its only part */
  lasts(told: ToldGroup, incident: SeenIncident, message: string): string
  ended(told: ToldGroup, incident: SeenIncident): string
  /** It changes too often: nothing more is told until it is quiet. */
  flapping(flap: Flap): string
  /** It does not change any more, and lasts. */
  steady(flap: Flap): string
  /** It does not change any more, and is over. */
  quiet(flap: Flap): string
}

/** Names in a message. */
const mostNames = 10

interface Services {
  messages: Messages
  /** The address people use. Without it, there is no link. */
  publicUrl?: URL
  /** Milliseconds since 1970. */
  now: () => number
}

export function createMessageTexts({ messages, publicUrl, now }: Services): MessageTexts {
  const linkOf = ({ id }: Pick<SeenIncident, 'id'>) => consoleLink(publicUrl, `incident/${id}/overview`)
  const span = (ms: number) => spanText(ms, messages.locale())

  function namesOf(parts: readonly ToldPart[]): string {
    return namesText(messages, [...new Set(parts.map(({ name }) => name))], mostNames, (name) => name)
  }

  const lasted = ({ parts }: ToldGroup) => {
    const start = Math.min(...parts.map(({ started_at }) => started_at))
    const end = Math.max(...parts.map(({ ended_at }) => ended_at ?? now()))
    return span(end - start)
  }

  /** The text about its only cause, as far as this group is concerned, or its title with the names of all causes. */
  function headOf(told: ToldGroup, incident: SeenIncident): string[] {
    const causes = told.parts.filter(({ key }) => incident.causes.has(key))
    const [first] = told.parts
    if (causes.length === 0 && told.parts.length === 1 && first) {
      return [first.message, incident.title && messages('incident_because', { title: incident.title })]
    }
    const [cause, ...others] = causes
    const rest = told.parts.filter((part) => part !== cause && !others.includes(part))
    const withIt = rest.length > 0 ? messages('incident_with_it', { names: namesOf(rest) }) : ''
    if (cause && others.length === 0) return [cause.message, withIt]
    return [messages('incident_began', { title: incident.title }), causes.length > 0 ? namesOf(causes) : '', withIt]
  }

  return {
    began(told, incident, more) {
      const isOver = told.parts.every(({ ended_at }) => ended_at !== null)
      const over = isOver ? messages('incident_over', { time: lasted(told) }) : ''
      return withLines(...headOf(told, incident), over, ...more, linkOf(incident))
    },
    grew: (parts, incident) =>
      withLines(
        messages('incident_began', { title: incident.title }),
        messages('incident_grew', { names: namesOf(parts) }),
        linkOf(incident),
      ),
    lasts(told, incident, message) {
      const open = told.parts.filter(({ ended_at }) => ended_at === null)
      if (open.length === 1) return withLines(message, linkOf(incident))
      const title = messages('incident_began', { title: incident.title })
      return withLines(title, messages('incident_lasts', { time: lasted(told) }), linkOf(incident))
    },
    ended(told, incident) {
      const [only, ...others] = told.parts
      const isOne = only !== undefined && others.length === 0
      const title = isOne ? only.name : incident.title
      const link = linkOf(incident)
      if (told.parts.every(({ withdrawn }) => withdrawn))
        return withLines(messages('incident_withdrawn', { title }), link)
      if (isOne && told.end_message) return withLines(told.end_message, link)
      const by = incident.resolvedBy && messages('incident_resolved_by', { name: incident.resolvedBy })
      const time = messages('lasted', { time: lasted(told) })
      return withLines(messages('incident_ended', { title }), time, by, link)
    },
    flapping: ({ name: title, changes, incident_id: id }) =>
      withLines(
        messages('incident_flapping', { title, count: changes.length, minutes: minutes(flapLimits.withinMs), quiet }),
        linkOf({ id }),
      ),
    steady: ({ name: title, incident_id: id }) => withLines(messages('incident_steady', { title }), linkOf({ id })),
    quiet: ({ name: title, incident_id: id }) =>
      withLines(messages('incident_ended', { title }), messages('incident_quiet', { quiet }), linkOf({ id })),
  }
}

const minutes = (ms: number) => ms / 60_000
const quiet = minutes(flapLimits.quietMs)

const withLines = (...lines: readonly string[]) => lines.filter(Boolean).join('\n')
