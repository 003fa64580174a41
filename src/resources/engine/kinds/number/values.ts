import type { KindValues } from '../parts/kind.ts'

/** Servers leave out a zero. */
export const isSameNumber = (wanted: string) => (value: unknown) => String(value ?? 0) === wanted

export const numberValues: KindValues = { matches: isSameNumber, readText: Number }
