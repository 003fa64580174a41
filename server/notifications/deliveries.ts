import { deliveryState, delivery as entity } from '../../src/schemas/delivery.ts'
import { createOwnerLimit } from '../db/ownerLimit.ts'
import type { Store } from '../db/store.ts'
import { writeBehind } from '../db/writeBehind.ts'
import { compileEntity } from '../entities/compileEntity.ts'
import type { Row } from '../entities/entityTable.ts'
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
  /** The incident that it told of. */
  incidentId?: number
  /** The type and id of an event. */
  event?: string
  webhookId?: string
  /** The whole message, or what an event is about; an excerpt is saved. */
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
   * @param owners only of their notifiers
   * @param matches only these
   */
  page(
    offset: number,
    limit: number,
    owners?: readonly number[],
    matches?: (row: Row<typeof entity>) => boolean,
  ): { rows: Row<typeof entity>[]; total: number }
  /** When a notifier delivered something last, RFC 3339; `undefined` where there is no such entry. */
  lastSentAt(notifierId: number): string | undefined
  /** An entry by its id. */
  get(id: number): Row<typeof entity> | undefined
  /** Writes what is still in memory to the disk. */
  flush(): void
}

/** See docs/decisions/deliveries.md. */
export const deliveryLimits = { rows: 10_000, ageMs: 30 * 86_400_000 } as const

interface Options {
  store: Store
  onFailure: (error: unknown) => void
  /** The time by which they are too old, in milliseconds since 1970. */
  now?: () => number
}

export function openDeliveries({ store, onFailure, now = Date.now }: Options): Deliveries {
  const table = store.table<Row<typeof entity>>(compileEntity(entity).table)
  let waiting: Delivery[] = []
  const limit = createOwnerLimit(table, deliveryLimits.rows)
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
      limit.added(delivery.ownerId)
    }
    table.removeBelow('at', isoTime(now() - deliveryLimits.ageMs))
    limit.apply()
  }

  const writer = writeBehind(write, onFailure)

  return {
    flush: writer.flush,
    get: (id) => table.get(id),
    lastSentAt: (id) => table.latest({ notification_id: id, state: deliveryState.sent }, 0, 1)[0]?.at,
    add(given) {
      const untriedKey = given.tries === 0 ? `${given.state} ${given.notifierId}` : undefined
      const existing = untriedKey === undefined ? undefined : untriedByKey.get(untriedKey)
      if (existing) {
        existing.count++
        // It stands for notifications about several services or incidents now.
        if (existing.serviceId !== given.serviceId) existing.serviceId = undefined
        if (existing.incidentId !== given.incidentId) existing.incidentId = undefined
        if (existing.event !== given.event) existing.event = undefined
        return
      }
      const delivery = { ...given, message: messageExcerpt(given.message) }
      if (untriedKey !== undefined) untriedByKey.set(untriedKey, delivery)
      waiting.push(delivery)
      if (waiting.length > deliveryLimits.rows) waiting.shift()
      writer.schedule()
    },
    page(offset, limit, owners, matches) {
      writer.flush()
      const where = owners ? { user_id: owners } : {}
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
  incidentId,
  webhookId,
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
  incident_id: incidentId,
  webhook_id: webhookId,
  duration: Math.round(durationMs),
})
