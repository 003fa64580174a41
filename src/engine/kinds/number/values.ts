import type { KindValues } from '../parts/kind.ts'

/** Servers leave out a zero. */
export const isSameNumber = (filter: string) => (value: unknown) => String(value ?? 0) === filter

export const numberValues: KindValues = { matches: isSameNumber, readText: Number }
