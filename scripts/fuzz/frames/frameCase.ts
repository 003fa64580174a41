import { type Random, randomlyFrom } from '../../seed/random.ts'

/** What one connection sends, or answers, and how it leaves. */
export interface FrameCase {
  /** For the report. */
  kind: string
  steps: readonly Step[]
  leave: Leave
}

/** What a case is made of: see `delivered`. */
export interface Sent {
  kind: string
  parts: Buffer[]
  before?: Buffer
}

/** Bytes, a pause in milliseconds, or until something has come from the other end. */
export type Step = Buffer | number | 'answer'

/** Ends its half, closes, or resets the connection. */
export type Leave = 'end' | 'close' | 'reset'

/** The numbers of one case: those of the next have nothing in common with them. */
export const randomOf = (seed: number, number: number): Random =>
  randomlyFrom(Math.imul(Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b), 0xc2b2ae35) >>> 7)

export const chance = (random: Random, percent: number) => random.whole(100) < percent

export const someBytes = (random: Random, below: number) =>
  Buffer.from(Array.from({ length: random.whole(below) }, () => random.whole(256)))

/** What one of them makes. */
export const anyOf = <T>(random: Random, makers: readonly (() => T)[]): T =>
  (makers[random.whole(makers.length)] as () => T)()

export const several = <T>(random: Random, most: number, make: (at: number) => T): T[] =>
  Array.from({ length: 1 + random.whole(most) }, (_, at) => make(at))

/**
 * The parts in one piece mostly, now and then cut anywhere with pauses between, and some without their end.
 * @param before what is sent and answered before, as a handshake
 */
export function delivered(random: Random, kind: string, parts: readonly Buffer[], before?: Buffer): FrameCase {
  const waits = before && chance(random, 85)
  let bytes = Buffer.concat(before && !waits ? [before, ...parts] : parts)
  if (chance(random, 15)) bytes = bytes.subarray(0, random.whole(bytes.length + 1))
  const steps: Step[] = waits ? [before, 'answer'] : []
  while (chance(random, 25) && bytes.length > 1) {
    const at = 1 + random.whole(bytes.length - 1)
    steps.push(bytes.subarray(0, at), random.whole(4))
    bytes = bytes.subarray(at)
  }
  steps.push(bytes, chance(random, 60) ? 'answer' : 0, chance(random, 50) ? random.whole(12) : 0)
  return { kind, steps, leave: random.oneOf(['end', 'close', 'close', 'reset'] as const) }
}
