import { createOwnerLimit } from '../db/ownerLimit.ts'
import type { Store } from '../db/store.ts'
import { createTurnWriter } from '../db/turnWriter.ts'

/** An event that waits for a notifier, or was sent to it. Times are milliseconds since 1970. */
export interface EventMessage {
  /** Absent until it is saved. */
  id?: number
  /** The id of the event. */
  webhook_id: string
  notification_id: number
  /** Owner of the notifier. */
  user_id: number
  group_id: number
  group_name: string
  event: string
  /** What it is about, for the delivery log. */
  about: string
  service_id: number | null
  body: string
  created_at: number
  /** Whether it will be tried, at `due_at`. */
  waiting: boolean
  due_at: number
  tries: number
}

/** The events that wait for their receivers, and those that were sent, so that they can be sent again. */
export interface EventMessages {
  /** @returns the messages that were dropped to make room */
  add(message: EventMessage): EventMessage[]
  /** The one of a notifier that is due first; `undefined` while none is. It counts as being sent until `settle`. */
  take(notifierId: number, now: number): EventMessage | undefined
  /** @param dueAt the time of the next try; `undefined` when there is none */
  settle(message: EventMessage, tries: number, dueAt?: number): void
  /** A message that was taken is to be tried again, as if it had not been. */
  putBack(message: EventMessage): void
  /** Removes what waits for a notifier, and returns it. */
  drop(notifierId: number): EventMessage[]
  /** The notifiers for which something waits. */
  notifiers(): number[]
  /** A message of the past, or one that waits. */
  find(webhookId: string, notifierId: number): EventMessage | undefined
  /** How many wait, those that are being sent included. */
  waitingCount(): number
  /** Resolves when what was changed is on the disk, or cannot be written: then it is sent all the same. */
  written(): Promise<void>
  /** Writes what is still in memory to the disk. */
  flush(): void
}

/** `waiting`: in memory. `stored`: sent ones with their bodies. */
export const eventLimits = {
  waitingOfNotifier: 500,
  waiting: 5_000,
  stored: 10_000,
  storedMs: 30 * 86_400_000,
} as const

interface Options {
  onFailure: (error: unknown) => void
  /** Called in the transaction of each write, for what the events tell of. Default: nothing is done. */
  withEvents?: () => void
  /** The time by which stored ones are too old, in milliseconds since 1970. */
  now: () => number
}

export function openEventMessages(store: Store, { onFailure, withEvents = () => {}, now }: Options): EventMessages {
  const table = store.table<EventMessage & { id: number }>(messageTable)
  const limit = createOwnerLimit(table, eventLimits.stored, { waiting: false })
  /** By notifier, the oldest first. */
  const waiting = new Map<number, EventMessage[]>()
  const taken = new Set<EventMessage>()
  const changed = new Set<EventMessage>()
  const writer = createTurnWriter(write, onFailure)
  for (const message of table.find({ waiting: true })) listOf(message.notification_id).push(message)

  function listOf(notifierId: number): EventMessage[] {
    const list = waiting.get(notifierId) ?? []
    waiting.set(notifierId, list)
    return list
  }

  function change(message: EventMessage, values: Partial<EventMessage>): void {
    Object.assign(message, values)
    changed.add(message)
    writer.schedule()
  }

  function write(): void {
    if (changed.size === 0) return
    const added: [EventMessage, number][] = []
    try {
      store.transaction(() => {
        withEvents()
        for (const message of changed) {
          const { id, waiting, due_at, tries } = message
          if (id === undefined) added.push([message, table.insert(message)])
          else table.update(id, { waiting, due_at, tries })
          limit.added(message.user_id)
        }
        table.removeBelow('created_at', now() - eventLimits.storedMs)
        limit.apply()
      })
    } catch (error) {
      // While the disk is full, messages that wait no longer must not fill the memory.
      for (const message of changed) if (!message.waiting && message.id === undefined) changed.delete(message)
      throw error
    }
    for (const [message, id] of added) message.id = id
    changed.clear()
  }

  function endWaiting(message: EventMessage): void {
    taken.delete(message)
    const list = listOf(message.notification_id)
    const index = list.indexOf(message)
    if (index >= 0) list.splice(index, 1)
    if (list.length === 0) waiting.delete(message.notification_id)
    change(message, { waiting: false })
  }

  const waitingCount = () => [...waiting.values()].reduce((sum, list) => sum + list.length, 0)

  function dropOldest(list: readonly EventMessage[]): EventMessage[] {
    const oldest = list.find((message) => !taken.has(message))
    if (oldest) endWaiting(oldest)
    return oldest ? [oldest] : []
  }

  return {
    written: writer.written,
    flush: writer.flush,
    waitingCount,
    add(message) {
      const list = listOf(message.notification_id)
      if (!list.includes(message)) list.push(message)
      change(message, { waiting: true })
      if (list.length > eventLimits.waitingOfNotifier) return dropOldest(list)
      if (waitingCount() <= eventLimits.waiting) return []
      return dropOldest([...waiting.values()].reduce((one, other) => (other.length > one.length ? other : one)))
    },
    take(notifierId, at) {
      const due = (waiting.get(notifierId) ?? []).filter((message) => message.due_at <= at && !taken.has(message))
      const [first] = due
      if (!first) return undefined
      const message = due.reduce((one, other) => (other.due_at < one.due_at ? other : one), first)
      taken.add(message)
      return message
    },
    settle(message, tries, dueAt) {
      taken.delete(message)
      if (dueAt === undefined) {
        endWaiting(message)
        change(message, { tries })
      } else change(message, { tries, due_at: dueAt })
    },
    putBack: (message) => void taken.delete(message),
    drop(notifierId) {
      const list = [...(waiting.get(notifierId) ?? [])]
      for (const message of list) endWaiting(message)
      return list
    },
    notifiers: () => [...waiting.keys()],
    find(webhook_id, notification_id) {
      const isOne = (message: EventMessage) => message.webhook_id === webhook_id
      return (
        waiting.get(notification_id)?.find(isOne) ??
        [...changed].find((message) => isOne(message) && message.notification_id === notification_id) ??
        table.find({ webhook_id, notification_id })[0]
      )
    },
  }
}

const messageTable = {
  name: 'event_message',
  columns: [
    { name: 'webhook_id', type: 'TEXT', indexed: true },
    { name: 'notification_id', type: 'INTEGER' },
    { name: 'user_id', type: 'INTEGER', indexed: true },
    { name: 'group_id', type: 'INTEGER' },
    { name: 'group_name', type: 'TEXT' },
    { name: 'event', type: 'TEXT' },
    { name: 'about', type: 'TEXT' },
    { name: 'service_id', type: 'INTEGER' },
    { name: 'body', type: 'TEXT' },
    { name: 'created_at', type: 'INTEGER', indexed: true },
    { name: 'waiting', type: 'FLAG', indexed: true },
    { name: 'due_at', type: 'INTEGER' },
    { name: 'tries', type: 'INTEGER' },
  ],
} as const
