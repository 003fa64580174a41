import type { CheckPhases } from '../../../schemas/endpoints/checkPhases.ts'

/** What checks took in a part of a period, on the average. */
export interface PhaseSlot {
  /** When it begins, in milliseconds since 1970. */
  from: number
  /** Milliseconds, as those of the parts. */
  whole: number
  phases: CheckPhases
  /** Whether there were checks in it, and one of them has failed. */
  hasFailed: boolean
}

interface DataPoint {
  ts: number
  delay: number
  status: number
  phases?: CheckPhases
}

/** Bars that fit beside each other on a phone. */
const most = 60
/** The parts of a check in their order, without the whole. */
export const partNames = ['name', 'connect', 'tls', 'first_byte'] as const

/** Milliseconds since 1970, as those of the points. */
interface SlotRange {
  /** Where the first slot begins, unless the first point is later. */
  from: number
  /** Where the last one ends. */
  until: number
  /** Milliseconds: no slot is shorter, as points stand for that much. */
  shortest: number
}

/** Puts the points of a history together into slots of the same length; the oldest point is the first. */
export function phaseSlots(points: readonly DataPoint[], { from: begin, until, shortest }: SlotRange): PhaseSlot[] {
  const from = Math.max(begin, points[0]?.ts ?? begin)
  const count = Math.min(most, Math.max(1, Math.floor((until - from) / shortest)))
  const length = (until - from) / count
  const bySlot = Map.groupBy(points, ({ ts }) => Math.floor((ts - from) / length))
  return Array.from({ length: count }, (_, index) => slotOf(bySlot.get(index) ?? [], from + index * length))
}

function slotOf(points: readonly DataPoint[], from: number): PhaseSlot {
  const good = points.filter(({ phases }) => phases)
  const phases: CheckPhases = {}
  for (const name of partNames) {
    const values = good.flatMap(({ phases: one }) => one?.[name] ?? [])
    if (values.length > 0) phases[name] = mean(values)
  }
  return {
    from,
    whole: mean(good.map(({ delay }) => delay)),
    phases,
    hasFailed: points.some(({ status }) => status === 0),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
