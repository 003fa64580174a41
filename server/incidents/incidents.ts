import { isolate } from '../../i18n/isolate.ts'
import type { ParentsOf, Subject } from '../machines/dependencies.ts'
import type { Messages } from '../site/messages.ts'
import {
  type Entry,
  type Incident,
  incidentTitle,
  isOpen,
  keyOf,
  type Notice,
  type Part,
  type Trouble,
  type TroubleKey,
} from './incident.ts'
import { type IncidentTable, incidentLimits } from './incidentTable.ts'
import { goneSubject, neededBy, needs, relate } from './related.ts'

/** What went wrong, put together: one thing is one incident. */
export interface Incidents {
  all(): readonly Incident[]
  /** The incident with this id, or the one that it has become part of. */
  get(id: number): Incident | undefined
  /** Another number after each change. */
  revisionOf(incident: Incident): number
  unresolved(): Iterable<Incident>
  /** Something is wrong. One that was reported before is the same. @returns the incident that it belongs to */
  begin(trouble: Trouble): Incident
  /**
   * It is over.
   * @param withdrawn whether nothing has recovered: what it is about was changed or deleted
   * @returns the incident that it belongs to
   */
  end(trouble: TroubleKey, withdrawn: boolean): Incident | undefined
  /** Says of something that lasts whether anything is measured of it now. */
  pause(trouble: TroubleKey, paused: boolean): void
  /** What has not ended. */
  openParts(): Part[]
  /** The incident of something that lasts, and the part that it is of it. @param key see `keyOf` */
  find(key: string): PartOfIncident | undefined
  /** Somebody is on it. @param by who, by name */
  acknowledge(incident: Incident, by: string, note: string): void
  unacknowledge(incident: Incident, by: string): void
  /** Ends what cannot recover by itself. */
  resolve(incident: Incident, by: string, note: string): void
  addEntry(incident: Incident, entry: Omit<Entry, 'at'>): void
  /** Writes down that a notifier group was told. */
  addNotice(incident: Incident, notice: Omit<Notice, 'at'>): void
  /** What lasts longer than its cause becomes a cause. To be called every second. */
  tick(): void
  /** Calls `listener` with each tick. */
  onTick(listener: () => void): void
  /** Calls `listener` when an incident begins, is acknowledged, or ends. */
  onChange(listener: (change: IncidentChange) => void): void
  /** Calls `listener` when a part has ended, before the incident ends with its last one. */
  onPartEnd(listener: (ended: PartOfIncident) => void): void
  /** Writes what is still in memory to the disk. */
  flush(): void
}

export interface PartOfIncident {
  incident: Incident
  part: Part
}

export interface IncidentChange {
  kind: 'opened' | 'acknowledged' | 'resolved'
  incident: Incident
  /** The incident that it has become part of; only of one that has ended so. */
  into?: Incident
}

interface Services {
  table: IncidentTable
  parentsOf: ParentsOf
  /** Milliseconds in which it is noticed that something is well again; 0 for at once. */
  noticedWithin: (trouble: TroubleKey) => number
  messages: Messages
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds: a consequence that is seen to last so much longer than its cause is a cause itself. */
export const outlivesMs = 120_000
/**
 * Resolved incidents that something may be the aftermath of, by age and number: services are rarely checked more
 * seldom.
 */
const recentLimits = { ageMs: 3_600_000, count: 200 } as const

export function createIncidents({ table, parentsOf, noticedWithin, messages, now }: Services): Incidents {
  const openByKey = new Map<string, PartOfIncident>()
  const listeners = new Set<(change: IncidentChange) => void>()
  const endListeners = new Set<(ended: PartOfIncident) => void>()
  const tickListeners = new Set<() => void>()
  for (const incident of table.unresolved()) {
    for (const part of incident.parts.filter(isOpen)) openByKey.set(keyOf(part), { incident, part })
  }
  /** Those that ended a little while ago by themselves, the latest last. */
  let recent = table.all().filter(isRecent).slice(0, recentLimits.count).reverse()

  function isRecent({ resolved_at, entries }: Incident): boolean {
    const isByHand = entries.some(({ kind }) => kind === 'resolved')
    return resolved_at !== null && resolved_at > now() - recentLimits.ageMs && !isByHand
  }

  /** Milliseconds for which a trouble may go on after what it needs is there again, and still be because of that. */
  const aftermathMs = (trouble: TroubleKey) => outlivesMs + noticedWithin(trouble)

  function report(change: IncidentChange): void {
    for (const listener of listeners) listener(change)
  }

  function changed(incident: Incident): void {
    incident.title = incidentTitle(incident, messages)
    table.changed(incident)
  }

  function addEntry(incident: Incident, entry: Omit<Entry, 'at'>): void {
    incident.entries = [...incident.entries, { at: now(), ...entry }].slice(-incidentLimits.entries)
    table.changed(incident)
  }

  function open(trouble: Trouble): Incident {
    return table.add({
      title: trouble.name,
      state: 'open',
      started_at: trouble.started_at,
      acknowledged_at: null,
      acknowledged_by: '',
      resolved_at: null,
      parts: [],
      entries: [],
      notices: [],
    })
  }

  /** Something has begun because of what was over, as a service that starts later than its server. */
  function reopen(incident: Incident, { name }: Trouble): void {
    recent = recent.filter((one) => one !== incident)
    incident.state = incident.acknowledged_at === null ? 'open' : 'acknowledged'
    incident.resolved_at = null
    addEntry(incident, { kind: 'reopened', text: name })
  }

  /** Moves all of an incident into another one. */
  function merge(from: Incident, into: Incident): void {
    into.parts = [...into.parts, ...from.parts].sort((one, other) => one.started_at - other.started_at)
    into.entries = [...into.entries, ...from.entries].sort((one, other) => one.at - other.at)
    into.notices = [...into.notices, ...from.notices].sort((one, other) => one.at - other.at)
    into.started_at = Math.min(into.started_at, from.started_at)
    for (const part of from.parts.filter(isOpen)) openByKey.set(keyOf(part), { incident: into, part })
    table.remove(from, into)
    addEntry(into, { kind: 'merged', text: from.title })
    from.state = 'resolved'
    from.resolved_at = now()
    report({ kind: 'resolved', incident: from, into })
  }

  function begin(trouble: Trouble): Incident {
    const known = openByKey.get(keyOf(trouble))
    if (known) return known.incident
    const hasRoom = ({ parts }: Incident) => parts.length < incidentLimits.parts
    const [unresolved, resolved] = [[...table.unresolved()].filter(hasRoom), recent.filter(hasRoom)]
    const others = { unresolved, resolved, backSince: now() - aftermathMs(trouble) }
    const { into, role, absorbed } = relate(trouble, others, parentsOf)
    const isNew = !into || into.state === 'resolved'
    if (into?.state === 'resolved') reopen(into, trouble)
    const incident = into ?? open(trouble)
    for (const other of absorbed) merge(other, incident)
    const part: Part = { ...trouble, ended_at: null, withdrawn: false, role }
    const gone = goneSubject(part)
    for (const other of incident.parts) {
      if (gone && isOpen(other) && needs(other, gone, parentsOf)) {
        other.role = 'consequence'
      }
    }
    incident.parts.push(part)
    openByKey.set(keyOf(part), { incident, part })
    changed(incident)
    if (isNew) report({ kind: 'opened', incident })
    return incident
  }

  function endPart(incident: Incident, part: Part, withdrawn: boolean): void {
    openByKey.delete(keyOf(part))
    Object.assign(part, { ended_at: Math.max(now(), part.started_at), withdrawn, paused: false })
    for (const listener of endListeners) listener({ incident, part })
  }

  function finish(incident: Incident): void {
    for (const part of incident.parts.filter(isOpen)) endPart(incident, part, false)
    incident.state = 'resolved'
    incident.resolved_at = now()
    changed(incident)
    report({ kind: 'resolved', incident })
  }

  /** Until when what an incident is about was gone, in milliseconds since 1970; infinity for what still is. */
  function goneUntil({ parts }: Incident): Map<Subject, number> {
    const until = new Map<Subject, number>()
    for (const part of parts) {
      const subject = goneSubject(part)
      const end = part.ended_at ?? Number.POSITIVE_INFINITY
      if (subject) until.set(subject, Math.max(end, until.get(subject) ?? 0))
    }
    return until
  }

  function promote(incident: Incident): void {
    const lasting = incident.parts.filter((part) => part.role === 'consequence' && isOpen(part))
    if (lasting.length === 0 || incident.parts.every(isOpen)) return
    const gone = goneUntil(incident)
    const causes = incident.parts.filter(({ role }) => role === 'cause')
    const ofCauses = causes.map(({ ended_at }) => ended_at ?? Number.POSITIVE_INFINITY)
    const consequences = lasting.filter((part) => {
      const ofNeeded = neededBy(part, parentsOf).flatMap((subject) => gone.get(subject) ?? [])
      const since = Math.max(...(ofNeeded.length > 0 ? ofNeeded : ofCauses))
      // A clock that was set back must not hold it up for long.
      return since !== Number.POSITIVE_INFINITY && Math.abs(now() - since) >= aftermathMs(part)
    })
    if (consequences.length === 0) return
    for (const part of consequences) part.role = 'cause'
    addEntry(incident, {
      kind: 'outlived',
      text: consequences
        .map(({ name }) => isolate(name))
        .join(', ')
        .slice(0, 500),
    })
    changed(incident)
  }

  return {
    all: table.all,
    get: table.get,
    revisionOf: table.revisionOf,
    unresolved: table.unresolved,
    begin,
    end(trouble, withdrawn) {
      const known = openByKey.get(keyOf(trouble))
      if (!known) return undefined
      const { incident, part } = known
      endPart(incident, part, withdrawn)
      if (incident.parts.some(isOpen)) changed(incident)
      else {
        finish(incident)
        recent = [...recent, incident].filter(isRecent).slice(-recentLimits.count)
      }
      return incident
    },
    pause(trouble, paused) {
      const known = openByKey.get(keyOf(trouble))
      if (!known) return
      known.part.paused = paused
      table.changed(known.incident)
    },
    openParts: () => [...openByKey.values()].map(({ part }) => part),
    find: (key) => openByKey.get(key),
    acknowledge(incident, by, note) {
      if (incident.state === 'resolved') return
      const isNew = incident.state === 'open'
      Object.assign(incident, { state: 'acknowledged', acknowledged_at: now(), acknowledged_by: by })
      addEntry(incident, { kind: 'acknowledged', name: by, ...(note && { text: note }) })
      if (isNew) report({ kind: 'acknowledged', incident })
    },
    unacknowledge(incident, by) {
      if (incident.state !== 'acknowledged') return
      Object.assign(incident, { state: 'open', acknowledged_at: null, acknowledged_by: '' })
      addEntry(incident, { kind: 'unacknowledged', name: by })
    },
    resolve(incident, by, note) {
      if (incident.state === 'resolved') return
      addEntry(incident, { kind: 'resolved', name: by, ...(note && { text: note }) })
      finish(incident)
    },
    addEntry,
    addNotice(incident, notice) {
      incident.notices = [...incident.notices, { at: now(), ...notice }].slice(-incidentLimits.notices)
      table.changed(incident)
    },
    tick() {
      for (const listener of tickListeners) listener()
      for (const incident of table.unresolved()) promote(incident)
    },
    onTick: (listener) => void tickListeners.add(listener),
    onChange: (listener) => void listeners.add(listener),
    onPartEnd: (listener) => void endListeners.add(listener),
    flush: table.flush,
  }
}
