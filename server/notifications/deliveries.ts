import { delivery as entity } from '../../src/schemas/delivery.ts'
import type { Store } from '../db/store.ts'
import { writeBehind } from '../db/writeBehind.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import { messageExcerpt } from './excerpts.ts'

/** The delivery of a notification to one notifier. */
export interface Delivery {
  /** Milliseconds since 1970. */
  at: number
  notifierId: number
  /** Its name at that time. */
  notifierName: string
  /** Owner of the notifier, who may see the delivery beside administrators. */
  ownerId: number
  groupId: number
  groupName: string
  /** The service that it is about. */
  serviceId?: number
  /** The whole message; an excerpt is saved. */
  message: string
  /** A code of `deliveryStates`. */
  state: number
  /** HTTP status of the last reply, 0 without one. */
  code: number
  /** Shortened and printable. */
  reply: string
  tries: number
  durationMs: number
  /** How many notifications this entry stands for. */
  count: number
}

/** The delivery log, latest first. Old entries are deleted automatically. */
export interface Deliveries {
  add(delivery: Delivery): void
  /**
   * One page, and the number of all entries.
   * @param ownerId only of this person's notifiers
   * @param matches only these
   */
  page(offset: number, limit: number, ownerId?: number, matches?: (row: Row) => boolean): { rows: Row[]; total: number }
  /** Writes what is still in memory to the disk. */
  flush(): void
}

/** See docs/decisions/deliveries.md. */
export const deliveryLimits = { rows: 10_000, ageMs: 30 * 86_400_000 } as const

interface Options {
  store: Store
  onFailure: (error: unknown) => void
  /** Milliseconds since 1970. */
  now?: () => number
}

export function openDeliveries({ store, onFailure, now = Date.now }: Options): Deliveries {
  const table = entityTable(store, entity)
  let waiting: Delivery[] = []
  /** Whose entries there are, once there are too many. */
  let owners: Set<number> | undefined
  /** Entries without a try since the last write, by state and notifier: many of them become one entry. */
  const untriedByKey = new Map<string, Delivery>()

  function write(): void {
    const deliveries = waiting
    waiting = []
    untriedByKey.clear()
    if (deliveries.length === 0) return
    try {
      store.transaction(() => insert(deliveries))
    } catch (error) {
      // A full disk may have room at the next write.
      waiting = deliveries
      throw error
    }
  }

  function insert(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      table.insert(toRow(delivery))
      owners?.add(delivery.ownerId)
    }
    table.removeBelow('at', isoTime(now() - deliveryLimits.ageMs))
    for (let excess = tooMany(); excess > 0; excess = tooMany()) removeOldest(excess)
  }

  const tooMany = () => table.count() - deliveryLimits.rows

  /** Of whoever has the most, so that one person's entries do not push out those of others. */
  function removeOldest(excess: number): void {
    owners ??= new Set(table.all().map(({ user_id }) => user_id))
    const counts = [...owners].map((user_id) => ({ user_id, count: table.count({ user_id }) }))
    const { user_id, count } = counts.reduce((one, other) => (other.count > one.count ? other : one))
    table.remove(table.latest({ user_id }, count - excess, excess).map(({ id }) => id))
  }

  const writer = writeBehind(write, onFailure)

  return {
    flush: writer.flush,
    add(given) {
      const untriedKey = given.tries === 0 ? `${given.state} ${given.notifierId}` : undefined
      const existing = untriedKey === undefined ? undefined : untriedByKey.get(untriedKey)
      if (existing) {
        existing.count++
        // It stands for notifications about several services now.
        if (existing.serviceId !== given.serviceId) existing.serviceId = undefined
        return
      }
      const delivery = { ...given, message: messageExcerpt(given.message) }
      if (untriedKey !== undefined) untriedByKey.set(untriedKey, delivery)
      waiting.push(delivery)
      if (waiting.length > deliveryLimits.rows) waiting.shift()
      writer.schedule()
    },
    page(offset, limit, ownerId, matches) {
      writer.flush()
      const where = ownerId === undefined ? {} : { user_id: ownerId }
      if (matches) {
        const found = table.latest(where, 0, deliveryLimits.rows).filter(matches)
        return { rows: found.slice(offset, offset + limit), total: found.length }
      }
      return { rows: table.latest(where, offset, limit), total: table.count(where) }
    },
  }
}

/** Always of the same length, so that sorting as text works. */
const isoTime = (at: number) => new Date(at).toISOString()

const toRow = ({
  at,
  notifierId,
  notifierName,
  ownerId,
  groupId,
  groupName,
  serviceId,
  durationMs,
  ...delivery
}: Delivery) => ({
  ...delivery,
  at: isoTime(at),
  user_id: ownerId,
  notification_id: notifierId,
  notification_name: notifierName,
  notification_group_id: groupId,
  notification_group_name: groupName,
  service_id: serviceId,
  duration: Math.round(durationMs),
})
