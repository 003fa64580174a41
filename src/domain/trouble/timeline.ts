import type { PastTrouble } from '../../schemas/endpoints/recentTrouble.ts'

/** A part of the last 24 hours. Times are ms since 1970. */
export interface TimelinePart {
  from: number
  to: number
  /** What lasted in it, at least for a moment, latest first. */
  troubles: readonly PastTrouble[]
  /** Whether a server was offline or a service down in it; else there were alarms at most. */
  isCritical: boolean
}

export interface Timeline {
  /** From the earliest to now, all as long. */
  parts: readonly TimelinePart[]
  /** How many began within it, and how many ended. */
  began: number
  over: number
}

const dayMs = 86_400_000

export const isCriticalTrouble = ({ kind, offline }: PastTrouble): boolean => kind === 'outage' || offline === true

/** The last 24 hours, cut into parts. @param now ms since 1970 by the server's clock */
export function timelineOf(troubles: readonly PastTrouble[], now: number, count: number): Timeline {
  const start = now - dayMs
  const length = dayMs / count
  const inParts: PastTrouble[][] = Array.from({ length: count }, () => [])
  const partAt = (time: number) => Math.min(count - 1, Math.max(0, Math.floor((time - start) / length)))
  let [began, over] = [0, 0]
  for (const trouble of troubles) {
    const from = Date.parse(trouble.started_at)
    const to = trouble.ended_at === undefined ? now : Date.parse(trouble.ended_at)
    if (from >= start) began += 1
    if (trouble.ended_at !== undefined) over += 1
    for (let at = partAt(from); at <= partAt(to); at++) inParts[at]?.push(trouble)
  }
  const parts = inParts.map((found, at) => ({
    from: start + at * length,
    to: start + (at + 1) * length,
    troubles: found,
    isCritical: found.some(isCriticalTrouble),
  }))
  return { parts, began, over }
}
