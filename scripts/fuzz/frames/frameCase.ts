import { type Random, randomlyFrom } from '../../seed/random.ts'

/** What one connection sends, or answers, and how it leaves. */
export interface FrameCase {
  /** For the report. */
  kind: string
  /** Bytes, and pauses in milliseconds. */
  steps: readonly (Buffer | number)[]
  leave: Leave
}

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

/** The parts in one piece mostly, now and then cut anywhere with pauses between, and some without their end. */
export function delivered(random: Random, kind: string, parts: readonly Buffer[]): FrameCase {
  let bytes = Buffer.concat(parts)
  if (chance(random, 15)) bytes = bytes.subarray(0, random.whole(bytes.length + 1))
  const steps: (Buffer | number)[] = []
  while (chance(random, 25) && bytes.length > 1) {
    const at = 1 + random.whole(bytes.length - 1)
    steps.push(bytes.subarray(0, at), random.whole(4))
    bytes = bytes.subarray(at)
  }
  steps.push(bytes, chance(random, 50) ? random.whole(12) : 0)
  return { kind, steps, leave: random.oneOf(['end', 'close', 'close', 'reset'] as const) }
}
