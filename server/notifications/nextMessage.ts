import type { WaitingMessage } from './outbox.ts'

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
