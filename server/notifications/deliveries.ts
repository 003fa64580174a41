import { delivery as entity } from '../../src/schemas/delivery.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Row } from '../entities/row.ts'
import { headOf } from './messageHeads.ts'
import { writeBehind } from './writeBehind.ts'

/** How a notice went at one notifier. */
export interface Delivery {
  /** Milliseconds since 1970. */
  at: number
  notifierId: number
  /** Its name of that day. */
  notifierName: string
  /** Whose notifier it is: who may read of it, beside administrators. */
  ownerId: number
  groupId: number
  groupName: string
  /** As it was said; what is kept of it is its head. */
  message: string
  /** A code of `deliveryStates`. */
  state: number
  /** HTTP status of the last reply, 0 without one. */
  code: number
  /** Cut and printable. */
  reply: string
  tries: number
  durationMs: number
  /** How many notices it stands for. */
  count: number
}

/** What became of notices, the latest first. Old lines go by themselves. */
export interface Deliveries {
  write(delivery: Delivery): void
  /** One page, and how many lines there are. @param ownerId of whose notifiers; everybody's by default */
  page(offset: number, limit: number, ownerId?: number): { rows: Row[]; total: number }
  /** Puts on the disk what is still in memory. */
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
  /** What was never tried lately, by how it ended and where: a flood of it is one line. */
  const untried = new Map<string, Delivery>()

  function write(): void {
    const lines = waiting
    waiting = []
    untried.clear()
    if (lines.length === 0) return
    try {
      store.transaction(() => insert(lines))
    } catch (error) {
      // A disk that is full now may have room when the next line comes.
      waiting = lines
      throw error
    }
  }

  function insert(lines: readonly Delivery[]): void {
    let last = 0
    for (const line of lines) last = table.insert(asRow(line))
    table.removeBelow('id', last - deliveryLimits.rows + 1)
    table.removeBelow('at', asText(now() - deliveryLimits.ageMs))
  }

  const behind = writeBehind(write, onFailure)

  return {
    flush: behind.now,
    write(given) {
      const kind = given.tries === 0 ? `${given.state} ${given.notifierId}` : undefined
      const before = kind === undefined ? undefined : untried.get(kind)
      if (before) {
        before.count++
        return
      }
      const line = { ...given, message: headOf(given.message) }
      if (kind !== undefined) untried.set(kind, line)
      waiting.push(line)
      if (waiting.length > deliveryLimits.rows) waiting.shift()
      behind.soon()
    },
    page(offset, limit, ownerId) {
      behind.now()
      const where = ownerId === undefined ? {} : { user_id: ownerId }
      return { rows: table.latest(where, offset, limit), total: table.count(where) }
    },
  }
}

/** All of one length, so that they sort as texts. */
const asText = (at: number) => new Date(at).toISOString()

const asRow = ({ at, notifierId, notifierName, ownerId, groupId, groupName, durationMs, ...line }: Delivery) => ({
  ...line,
  at: asText(at),
  user_id: ownerId,
  notification_id: notifierId,
  notification_name: notifierName,
  notification_group_id: groupId,
  notification_group_name: groupName,
  duration: Math.round(durationMs),
})
