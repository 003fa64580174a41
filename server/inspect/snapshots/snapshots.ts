import { type Snapshot, snapshot } from '../../../src/schemas/inspect/snapshot.ts'
import { createPlaceQueue, waitForPlace } from '../../concurrency/placeQueue.ts'
import type { Log } from '../../log.ts'
import type { Person } from '../../person.ts'
import type { Messages } from '../../site/messages.ts'
import { ApiError } from '../../wire/apiError.ts'
import { timestamp } from '../../wire/timestamp.ts'
import type { Inspector } from '../inspector.ts'
import { snapshotLines } from './snapshotLines.ts'
import type { SnapshotTable, StoredSnapshot } from './snapshotTable.ts'
import { takeSnapshot } from './takeSnapshot.ts'

/** What machines said of themselves when alarms began. */
export interface Snapshots {
  /** Takes one for an alarm that has just begun, unless its machine is offline. */
  take(alarm: { id: number; server_id: number }): void
  /** Whether one is being taken for an alarm. */
  isPending(alarmId: number): boolean
  has(alarmId: number): boolean
  /** @throws ApiError when the person may not look into the server */
  read(person: Person | undefined, alarmId: number): Snapshot
  /** The most important of it for a message; nothing without one, or for somebody who may not look into the server. */
  linesFor(person: Person, alarmId: number): readonly string[]
  /** To be called before the database is closed: what machines say from then on is not kept. */
  stop(): void
}

interface Services {
  inspector: Pick<Inspector, 'ask' | 'renew' | 'mayLook'>
  /** Whose server it is. */
  ownerOf: (serverId: number) => number
  table: SnapshotTable
  messages: Messages
  /** Waits for some milliseconds. */
  pause: (ms: number) => Promise<unknown>
  log: Pick<Log, 'error'>
  /** Milliseconds since 1970. */
  now: () => number
}

/** Milliseconds in which the alarms of one machine have one snapshot. */
const sharedMs = 60_000
/**
 * How many machines of one person and of all are asked at the same time, when hundreds of alarms begin at once: machines
 * that never answer hold up those of their owner alone. What a machine says a minute later is not of that moment any more.
 */
const places = { perKey: 8, total: 16, waiting: 500, waitMs: 60_000 } as const

/** One that is being taken, or has been in the last minute. */
interface Recent {
  startedAt: number
  alarmIds: number[]
  /** When it is stored. */
  id?: number
}

const none: Snapshot = {
  reason: 'No snapshot was taken with this alarm: its machine was offline, or too many alarms began at the same time.',
}

/** What this version does not understand is left out. */
function readStored({ data, server_id, taken_at }: StoredSnapshot): Snapshot {
  const read = snapshot.safeParse(JSON.parse(data))
  return { ...(read.success ? read.data : none), server_id, at: timestamp(taken_at) }
}

export function createSnapshots({ inspector, ownerOf, table, messages, pause, log, now }: Services): Snapshots {
  const queue = createPlaceQueue(places)
  /** By server, the oldest first. */
  const recent = new Map<number, Recent>()
  const pending = new Set<number>()
  let isStopped = false

  const isRecent = ({ startedAt }: Recent) => Math.abs(now() - startedAt) < sharedMs

  function forgetOld(): void {
    for (const [id, one] of recent) {
      if (isRecent(one)) return
      recent.delete(id)
    }
  }

  function save(serverId: number, one: Recent, taken: object): void {
    one.id = table.add({
      server_id: serverId,
      taken_at: one.startedAt,
      alarm_ids: one.alarmIds,
      data: JSON.stringify(taken),
    })
  }

  async function ask(serverId: number, owner: number, one: Recent): Promise<void> {
    const leave = await waitForPlace(queue, String(owner))
    if (!leave) return finish(one)
    try {
      one.startedAt = now()
      const taken = await takeSnapshot({ inspector, pause }, serverId)
      if (taken.cause !== 'offline' && !isStopped) save(serverId, one, taken)
    } catch (error) {
      if (!isStopped) log.error('The snapshot of an alarm could not be taken:', error)
    } finally {
      leave()
      finish(one)
    }
  }

  function finish({ alarmIds }: Recent): void {
    for (const id of alarmIds) pending.delete(id)
  }

  function share({ id }: Recent, alarmId: number): void {
    try {
      if (id !== undefined) table.share(id, alarmId)
    } catch (error) {
      log.error('The snapshot of an alarm could not be saved:', error)
    }
  }

  return {
    isPending: (alarmId) => pending.has(alarmId),
    has: table.has,
    stop() {
      isStopped = true
    },
    take({ id: alarmId, server_id: serverId }) {
      if (isStopped) return
      forgetOld()
      const known = recent.get(serverId)
      if (known && isRecent(known)) {
        if (!known.alarmIds.some((id) => pending.has(id))) return share(known, alarmId)
        known.alarmIds.push(alarmId)
        pending.add(alarmId)
        return
      }
      const one: Recent = { startedAt: now(), alarmIds: [alarmId] }
      recent.delete(serverId)
      recent.set(serverId, one)
      pending.add(alarmId)
      void ask(serverId, ownerOf(serverId), one)
    },
    read(person, alarmId) {
      const found = table.of(alarmId)
      if (!found) return none
      if (!inspector.mayLook(person, found.server_id)) throw new ApiError('permission denied')
      return readStored(found)
    },
    linesFor(person, alarmId) {
      const found = table.of(alarmId)
      if (!found || !inspector.mayLook(person, found.server_id)) return []
      return snapshotLines(readStored(found), messages)
    },
  }
}
