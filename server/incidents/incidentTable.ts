import type { Store } from '../db/store.ts'
import { type WriteBehind, writeBehind } from '../db/writeBehind.ts'
import { type Incident, ownerOf } from './incident.ts'

/** All incidents, in memory and on the disk. */
export interface IncidentTable {
  /** Those that are not resolved, in the order in which they began, or began again. */
  unresolved(): Iterable<Incident>
  /** The incident with this id, or the one that it has become part of. */
  get(id: number): Incident | undefined
  /** Unresolved ones first, each part with the latest first. */
  all(): readonly Incident[]
  add(values: Omit<Incident, 'id'>): Incident
  /** To be called after each change: it is written a little later. */
  changed(incident: Incident): void
  /** Another number after each change. */
  revisionOf(incident: Incident): number
  /** It has become part of another one, under whose id it is found from then on. */
  remove(incident: Incident, into: Incident): void
  /** Writes all changes now. */
  flush(): void
}

/** An incident that has become part of another one. */
interface MergedRow {
  id: number
  incident_id: number
  into_id: number
  /** Milliseconds since 1970. */
  at: number
}

/**
 * Of resolved and of merged ones; the others have no limit. When all are too many, an owner with more than `ofOwner`
 * loses own ones.
 */
export const incidentLimits = {
  count: 10_000,
  ofOwner: 1000,
  ageMs: 400 * 86_400_000,
  parts: 2000,
  entries: 500,
  notices: 500,
  /** Characters of the diary, beyond which people add no notes to it: one member may have thousands of incidents. */
  diary: 65_536,
} as const

/**
 * @param onFailure called when incidents cannot be saved. They are there all the same
 * @param now the time by which they are too old, in milliseconds since 1970
 */
export function openIncidentTable(
  store: Store,
  { onFailure, now }: { onFailure: (error: unknown) => void; now: () => number },
): IncidentTable {
  const table = store.table<Incident>({
    name: 'incident',
    columns: [
      { name: 'title', type: 'TEXT' },
      { name: 'state', type: 'TEXT' },
      { name: 'started_at', type: 'INTEGER' },
      { name: 'acknowledged_at', type: 'INTEGER' },
      { name: 'acknowledged_by', type: 'TEXT', initial: '' },
      { name: 'resolved_at', type: 'INTEGER' },
      { name: 'parts', type: 'JSON' },
      { name: 'entries', type: 'JSON' },
      { name: 'notices', type: 'JSON' },
    ],
  })
  const mergedTable = store.table<MergedRow>({
    name: 'merged_incident',
    columns: [
      { name: 'incident_id', type: 'INTEGER' },
      { name: 'into_id', type: 'INTEGER' },
      { name: 'at', type: 'INTEGER' },
    ],
  })
  /** By the id of the incident that has ended so, the oldest first. */
  const merged = new Map(mergedTable.all().map((row) => [row.incident_id, row.into_id]))
  const newlyMerged: Omit<MergedRow, 'id'>[] = []
  /** By id, in the order in which they began, or began again. */
  const unresolved = new Map<number, Incident>()
  const resolved = new Map<number, Incident>()
  /** Resolved ones whose parts all have one owner, by owner. */
  const resolvedOf = new Map<number, Set<number>>()
  for (const row of table.all()) {
    if (row.state === 'resolved') addResolved(row)
    else unresolved.set(row.id, row)
  }
  // The id of one that was merged leads to the other one: it is not given again.
  let lastId = Math.max(0, ...unresolved.keys(), ...resolved.keys(), ...merged.keys())
  const changed = new Set<Incident>()
  const removed = new Set<number>()
  /** Ids of rows that are on the disk. */
  const stored = new Set([...unresolved.keys(), ...resolved.keys()])
  const revisions = new WeakMap<Incident, number>()
  let listed: readonly Incident[] | undefined
  const writer: WriteBehind = writeBehind(write, onFailure, { retry: true })

  function write(): void {
    removeOld()
    if (changed.size + removed.size === 0) return
    store.transaction(() => {
      table.remove([...removed])
      for (const row of newlyMerged) mergedTable.insert(row)
      mergedTable.removeBelow('at', now() - incidentLimits.ageMs)
      mergedTable.remove(mergedTable.latest({}, incidentLimits.count, newlyMerged.length).map(({ id }) => id))
      for (const incident of changed) {
        const { id, ...values } = incident
        if (stored.has(id)) table.update(id, values)
        else table.insert(incident)
      }
    })
    for (const { id } of changed) stored.add(id)
    for (const id of removed) stored.delete(id)
    changed.clear()
    removed.clear()
    newlyMerged.length = 0
  }

  function removeOld(): void {
    const oldest = now() - incidentLimits.ageMs
    for (const [id, { resolved_at }] of resolved) {
      if (resolved.size <= incidentLimits.count && (resolved_at ?? now()) >= oldest) break
      remove(id)
    }
  }

  function addResolved(incident: Incident): void {
    resolved.set(incident.id, incident)
    const owner = ownerOf(incident)
    if (owner !== undefined) resolvedOf.set(owner, (resolvedOf.get(owner) ?? new Set()).add(incident.id))
  }

  /** Whoever makes many must not drive out those of everybody else. */
  function removeOldOf(owner: number | undefined): void {
    const own = owner === undefined ? undefined : resolvedOf.get(owner)
    if (!own || own.size <= incidentLimits.ofOwner || resolved.size <= incidentLimits.count) return
    const [oldest] = own
    if (oldest !== undefined) remove(oldest)
  }

  function remove(id: number): void {
    const row = unresolved.get(id) ?? resolved.get(id)
    if (row) {
      changed.delete(row)
      resolvedOf.get(ownerOf(row) ?? 0)?.delete(id)
    }
    unresolved.delete(id)
    resolved.delete(id)
    removed.add(id)
    listed = undefined
  }

  function get(id: number): Incident | undefined {
    const into = merged.get(id)
    return unresolved.get(id) ?? resolved.get(id) ?? (into === undefined ? undefined : get(into))
  }

  function markChanged(incident: Incident): void {
    if (incident.state === 'resolved' && unresolved.delete(incident.id)) {
      addResolved(incident)
      removeOldOf(ownerOf(incident))
    }
    if (incident.state !== 'resolved' && resolved.delete(incident.id)) {
      resolvedOf.get(ownerOf(incident) ?? 0)?.delete(incident.id)
      unresolved.set(incident.id, incident)
    }
    listed = undefined
    revisions.set(incident, (revisions.get(incident) ?? 0) + 1)
    changed.add(incident)
    writer.schedule()
  }

  return {
    unresolved: () => unresolved.values(),
    get,
    all() {
      listed ??= [...[...unresolved.values()].reverse(), ...[...resolved.values()].reverse()]
      return listed
    },
    add(values) {
      // The id is given here, so that it is known before the row is written.
      const incident: Incident = { ...values, id: ++lastId }
      unresolved.set(incident.id, incident)
      markChanged(incident)
      return incident
    },
    changed: markChanged,
    revisionOf: (incident) => revisions.get(incident) ?? 0,
    remove(incident, into) {
      remove(incident.id)
      merged.set(incident.id, into.id)
      const [oldest] = merged.size > incidentLimits.count ? merged.keys() : []
      if (oldest !== undefined) merged.delete(oldest)
      newlyMerged.push({ incident_id: incident.id, into_id: into.id, at: now() })
      writer.schedule()
    },
    flush: writer.flush,
  }
}
