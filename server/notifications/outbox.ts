import type { Store } from '../db/store.ts'
import { createTurnWriter } from '../db/turnWriter.ts'

/** A message for one notifier that was not delivered yet. Times are milliseconds since 1970. */
export interface WaitingMessage {
  /** The same at each try, so that a receiver which knows the header can tell that it has the message already. */
  key: string
  notification_id: number
  group_id: number
  group_name: string
  service_id: number | null
  incident_id: number | null
  /** The key of what it tells of, for what begins and ends; '' for anything else. */
  subject: string
  message: string
  /** By which a device acknowledges it; '' where it cannot. */
  acknowledge_path: string
  /** Whether a receiver with little room gets the end of its longest part. */
  keeps_end: boolean
  /** Whether it tells of a message that could not be delivered: such a one is not told of itself. */
  of_loss: boolean
  /** The values of the placeholders, of the time of the event and in the units of the notifier. */
  placeholders: Readonly<Record<string, string>>
  created_at: number
  /** Not tried before: its receiver has asked for time. */
  due_at: number
}

type WaitingRow = WaitingMessage & { id: number }

/**
 * Messages on their way, in the database: each is there before it is sent, and until it is known what became of it. So
 * a killed server sends it after its next start.
 */
export interface Outbox {
  /** Those from before the last start, in their order. To be called once, before anything is added. */
  left(): WaitingMessage[]
  /** To be written with everything else of this turn of the event loop, in one transaction. */
  add(message: WaitingMessage): void
  /** Resolves when what was added is on the disk, or cannot be written: then it is sent all the same. */
  written(): Promise<void>
  postpone(message: WaitingMessage, dueAt: number): void
  /** It tells of another incident: that of which its own has become part. */
  moveToIncident(message: WaitingMessage, incidentId: number): void
  /** It was delivered, or never will be. */
  remove(message: WaitingMessage): void
  /** Writes all changes now. */
  flush(): void
}

export function openOutbox(store: Store, onFailure: (error: unknown) => void): Outbox {
  const table = store.table<WaitingRow>({
    name: 'waiting_message',
    columns: [
      { name: 'key', type: 'TEXT', initial: '' },
      { name: 'notification_id', type: 'INTEGER' },
      { name: 'group_id', type: 'INTEGER' },
      { name: 'group_name', type: 'TEXT' },
      { name: 'service_id', type: 'INTEGER' },
      { name: 'incident_id', type: 'INTEGER' },
      { name: 'subject', type: 'TEXT', initial: '' },
      { name: 'message', type: 'TEXT' },
      { name: 'acknowledge_path', type: 'TEXT', initial: '' },
      { name: 'keeps_end', type: 'FLAG' },
      { name: 'of_loss', type: 'FLAG' },
      { name: 'placeholders', type: 'JSON' },
      { name: 'created_at', type: 'INTEGER' },
      { name: 'due_at', type: 'INTEGER' },
    ],
  })
  const idOf = new WeakMap<WaitingMessage, number>()
  let added = new Set<WaitingMessage>()
  let changed = new Set<WaitingMessage>()
  let removed: number[] = []
  const writer = createTurnWriter(write, onFailure)

  function write(): void {
    if (added.size + changed.size + removed.length === 0) return
    const ids: [WaitingMessage, number][] = []
    const adding = added
    // What cannot be written is sent all the same. Rows that should be gone are removed as soon as that is possible.
    added = new Set()
    store.transaction(() => {
      table.remove(removed)
      for (const message of changed) {
        const { due_at, incident_id } = message
        table.update(idOf.get(message) ?? 0, { due_at, incident_id })
      }
      for (const message of adding) ids.push([message, table.insert(message)])
    })
    for (const [message, id] of ids) idOf.set(message, id)
    changed = new Set()
    removed = []
  }

  function change(message: WaitingMessage, values: Partial<Pick<WaitingMessage, 'due_at' | 'incident_id'>>): void {
    Object.assign(message, values)
    // One that is not written yet is written with them.
    if (!idOf.has(message)) return
    changed.add(message)
    writer.schedule()
  }

  return {
    flush: writer.flush,
    left() {
      const rows = table.all()
      for (const row of rows) idOf.set(row, row.id)
      return [...rows]
    },
    add(message) {
      added.add(message)
      writer.schedule()
    },
    written: writer.written,
    postpone: (message, dueAt) => change(message, { due_at: dueAt }),
    moveToIncident: (message, incidentId) => change(message, { incident_id: incidentId }),
    remove(message) {
      added.delete(message)
      changed.delete(message)
      const id = idOf.get(message)
      if (id === undefined) return
      idOf.delete(message)
      removed.push(id)
      writer.schedule()
    },
  }
}

/** A message in the queue of a notifier, and what its receiver has said to it so far. Times are milliseconds since 1970. */
export interface QueuedMessage {
  message: WaitingMessage
  /** Not tried before. */
  dueAt: number
  /** How often its receiver has asked for time. */
  refusals: number
}

/** Refusals of a message after which others go before it: it may be this one alone that its receiver does not take. */
const refusalsBeforeOthers = 2

/**
 * The message to send next, and when. Those that were not refused come first, in their order. One that tells of the same
 * thing as an earlier one that still waits does not overtake it: a recovery never comes before its alarm.
 * @param queue in the order in which the messages were written
 * @param heldUntil nothing is sent before: the receiver has asked for time
 */
export function nextMessage<Entry extends QueuedMessage>(
  queue: Iterable<Entry>,
  at: number,
  heldUntil: number,
): { entry: Entry; readyAt: number } | undefined {
  const earlier = new Set<string>()
  let best: { entry: Entry; readyAt: number } | undefined
  for (const entry of queue) {
    const subjects = subjectsOf(entry.message)
    const isFree = !subjects.some((subject) => earlier.has(subject))
    for (const subject of subjects) earlier.add(subject)
    const readyAt = Math.max(at, heldUntil, entry.dueAt)
    if (isFree && (!best || comesBefore(entry, readyAt, best))) best = { entry, readyAt }
  }
  return best
}

/** Those that are ready at the same time are in the order of the queue, but for those that were put back. */
function comesBefore(entry: QueuedMessage, readyAt: number, other: { entry: QueuedMessage; readyAt: number }): boolean {
  if (readyAt !== other.readyAt) return readyAt < other.readyAt
  if (isPutBack(entry) !== isPutBack(other.entry)) return isPutBack(other.entry)
  return isPutBack(entry) && entry.dueAt < other.entry.dueAt
}

const isPutBack = ({ refusals }: QueuedMessage) => refusals >= refusalsBeforeOthers

/** What a message tells of. */
const subjectsOf = ({ incident_id, service_id, subject }: WaitingMessage): string[] => [
  ...(incident_id === null ? [] : [`incident ${incident_id}`]),
  ...(service_id === null ? [] : [`service ${service_id}`]),
  ...(subject === '' ? [] : [subject]),
]
