import { keyedTable } from '../db/keyedTable.ts'
import type { Store } from '../db/store.ts'
import { writeBehind } from '../db/writeBehind.ts'

/** Something that begins and ends, as a notifier group is told of it. Times are milliseconds since 1970. */
export interface Flap {
  /** The group and what changes, such as '4 alarm of rule 7 on server 3'. */
  key: string
  group_id: number
  /** Of what it is about, for the message. */
  name: string
  /** The last changes. */
  changes: number[]
  /** Whether the group was told that it changes too often: nothing more is told until it is quiet. */
  is_flapping: boolean
  /** Of the part that lasts now; '' for none. */
  part_key: string
  /** What it is told with when it lasts. */
  incident_id: number
}

type Begun = Pick<Flap, 'name' | 'part_key' | 'incident_id'>

/** Counts changes, so that what begins and ends again and again is not told each time. */
export interface Flapping {
  /**
   * Takes a change.
   * @param begun what has begun; `undefined` when it has ended
   * @returns what is known by now, and whether it is flapping since this change; `undefined` when nothing had begun
   */
  note(key: string, groupId: number, begun?: Begun): (Flap & { is_new: boolean }) | undefined
  /** Whether a group is not told of something, as it changes too often. */
  isActive(key: string): boolean
  /** Those that were told and have been quiet since; each only once. */
  takeQuiet(): Flap[]
  flush(): void
}

/** More changes than this within the time are flapping, until nothing has changed for the quiet time. Milliseconds. */
export const flapLimits = { changes: 4, withinMs: 30 * 60_000, quietMs: 15 * 60_000 } as const

export function openFlapping(
  store: Store,
  { onFailure, now }: { onFailure: (error: unknown) => void; now: () => number },
): Flapping {
  const columns = [
    { name: 'key', type: 'TEXT', unique: true },
    { name: 'group_id', type: 'INTEGER' },
    { name: 'name', type: 'TEXT' },
    { name: 'changes', type: 'JSON' },
    { name: 'is_flapping', type: 'FLAG' },
    { name: 'part_key', type: 'TEXT' },
    { name: 'incident_id', type: 'INTEGER' },
  ] as const
  const definition = { name: 'flapping', columns }
  const { saved, save } = keyedTable<Flap & { id: number }, string>(store, definition, ({ key }) => key)
  const known = new Map<string, Flap>(saved())
  const changed = new Set<string>()
  const writer = writeBehind(write, onFailure)

  function write(): void {
    for (const [key, flap] of known) if (!flap.is_flapping && recent(flap).length === 0) forget(key)
    save([...changed].map((key) => [key, known.get(key)]))
    changed.clear()
  }

  function forget(key: string): void {
    known.delete(key)
    changed.add(key)
  }

  /** The changes that count; those after the present are from before the clock was set back. */
  const recent = ({ changes }: Flap) => changes.filter((at) => at <= now() && at > now() - flapLimits.withinMs)

  return {
    flush: writer.flush,
    isActive: (key) => known.get(key)?.is_flapping === true,
    note(key, group_id, begun) {
      const before = known.get(key)
      if (!before && !begun) return undefined
      const changes = [...(before ? recent(before) : []), now()].slice(-flapLimits.changes - 1)
      const wasFlapping = before?.is_flapping === true
      const is_flapping = wasFlapping || changes.length > flapLimits.changes
      const none = { name: '', incident_id: 0 }
      const flap = { ...none, ...before, ...(begun ?? { part_key: '' }), key, group_id, changes, is_flapping }
      known.set(key, flap)
      changed.add(key)
      writer.schedule()
      return { ...flap, is_new: is_flapping && !wasFlapping }
    },
    takeQuiet() {
      const quiet = [...known.values()].filter(({ is_flapping, changes }) => {
        const passed = now() - (changes.at(-1) ?? 0)
        return is_flapping && (passed >= flapLimits.quietMs || passed < 0)
      })
      for (const { key } of quiet) forget(key)
      if (quiet.length > 0) writer.schedule()
      return quiet
    },
  }
}

/** @param subject what begins and ends, as its feature names it */
export const flapKey = (groupId: number, subject: string): string => `${groupId} ${subject}`
