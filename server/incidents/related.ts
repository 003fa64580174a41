import type { ParentsOf, Subject } from '../machines/dependencies.ts'
import { type Incident, keyOf, type Part, type Trouble } from './incident.ts'

/** How a trouble belongs to other incidents. */
export interface Relation {
  /** The incident of which it becomes part; without one, it is a new one. It may be one that has just been resolved. */
  into?: Incident
  role: Part['role']
  /** Incidents that belong to the same, and end in it. */
  absorbed: readonly Incident[]
}

/** Milliseconds between the first and the last of troubles that are alike, when they count as one. */
export const alikeWithinMs = 120_000
/** So many that are alike are one incident: two may be chance, but not of records that one provider updates. */
export const alikeFrom = 3
const alikeRecordsFrom = 2
/** Milliseconds: what began so long before its cause was noticed belongs to it, too. */
export const beforeCauseMs = 60_000

/** What is gone while a trouble lasts; `undefined` where it is only in a bad state. */
export function goneSubject({ kind, is_gone, server_id, service_id }: Trouble): Subject | undefined {
  if (kind === 'outage') return `service ${service_id}`
  return is_gone ? `server ${server_id}` : undefined
}

/** A contract ends whether its server is online or not. */
const subjectsOf = ({ kind, server_id, service_id }: Trouble): Subject[] =>
  kind === 'quota' || kind === 'contract'
    ? []
    : [
        ...(server_id ? [`server ${server_id}` as const] : []),
        ...(service_id ? [`service ${service_id}` as const] : []),
      ]

/** What a trouble needs in order not to be, some of it more than once: while one of these is gone, it is a consequence. */
export function neededBy(trouble: Trouble, parentsOf: ParentsOf): Subject[] {
  const gone = goneSubject(trouble)
  return subjectsOf(trouble)
    .flatMap((own) => [own, ...parentsOf(own)])
    .filter((subject) => subject !== gone)
}

/** Whether a subject is one of these. Many are asked about each trouble, so that nothing is gathered for it. */
export const needs = (trouble: Trouble, subject: Subject, parentsOf: ParentsOf): boolean =>
  subject !== goneSubject(trouble) && subjectsOf(trouble).some((own) => own === subject || parentsOf(own).has(subject))

/**
 * Troubles with the same key are alike: of one rule, servers of one owner that are gone, services of one owner at one
 * host, records of one DDNS profile. What others own is never alike: whoever names the same host must not get into their incidents.
 */
function likenessOf({ kind, id, is_gone, rule_id, owner_id, host }: Trouble): string | undefined {
  if (is_gone) return `gone ${owner_id}`
  if (kind === 'ddns') return `ddns ${id}`
  if (kind === 'alarm') return `rule ${rule_id}`
  return kind === 'outage' && host ? `host ${owner_id} ${host}` : undefined
}

function subjectOf(trouble: Trouble): string {
  const { kind, server_id, service_id } = trouble
  if (kind === 'ddns') return keyOf(trouble)
  return service_id ? `service ${service_id}` : `server ${server_id}`
}

interface Others {
  /** All that are not resolved, the oldest first. */
  unresolved: readonly Incident[]
  /** Some that are. */
  resolved: readonly Incident[]
  /** What has come back since then may still be why something is wrong. Milliseconds since 1970. */
  backSince: number
}

/** Finds the incidents to which a trouble belongs. */
export function relate(trouble: Trouble, others: Others, parentsOf: ParentsOf): Relation {
  const { unresolved, resolved, backSince } = others
  const gone = goneSubject(trouble)
  const isGone = (part: Part) => {
    const subject = goneSubject(part)
    const isBack = part.ended_at !== null && (part.withdrawn || part.ended_at < backSince)
    return subject !== undefined && !isBack && needs(trouble, subject, parentsOf)
  }
  const cause = [...unresolved, ...resolved].find(({ parts }) => parts.some(isGone))
  const children = gone ? unresolved.filter((one) => one !== cause && isCausedBy(one, gone, trouble, parentsOf)) : []
  if (cause) return { into: cause, role: 'consequence', absorbed: children }
  // The same server, gone by another report of it.
  const same =
    gone && unresolved.find(({ parts }) => parts.some((part) => part.ended_at === null && goneSubject(part) === gone))
  const alike = alikeIncidents(trouble, unresolved)
  const [into, ...absorbed] = [...new Set([...(same ? [same] : []), ...alike, ...children])].sort((a, b) => a.id - b.id)
  return { into, role: 'cause', absorbed }
}

/** Whether an incident began a little before, by things that cannot be well without what is gone now. */
function isCausedBy({ parts }: Incident, gone: Subject, { started_at }: Trouble, parentsOf: ParentsOf): boolean {
  const causes = parts.filter(({ role }) => role === 'cause')
  return causes.every(
    (part) =>
      part.started_at >= started_at - beforeCauseMs && (needs(part, gone, parentsOf) || goneSubject(part) === gone),
  )
}

/** Incidents with enough that is alike, together with this; none where there is not enough. */
function alikeIncidents(trouble: Trouble, unresolved: readonly Incident[]): Incident[] {
  const likeness = likenessOf(trouble)
  if (!likeness) return []
  const subjects = new Set([subjectOf(trouble)])
  const alike = unresolved.filter(({ parts }) => {
    const same = parts.filter((part) => part.role === 'cause' && likenessOf(part) === likeness)
    const near = same.filter((part) => Math.abs(trouble.started_at - part.started_at) <= alikeWithinMs)
    for (const part of near.length > 0 ? same : []) subjects.add(subjectOf(part))
    return near.length > 0 && same.length === parts.filter(({ role }) => role === 'cause').length
  })
  return subjects.size >= (trouble.kind === 'ddns' ? alikeRecordsFrom : alikeFrom) ? alike : []
}
