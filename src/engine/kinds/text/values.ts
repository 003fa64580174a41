import type { KindValues } from '../parts/kind.ts'

/** A filter finds what contains it, in any case. */
const contains = (filter: string) => {
  const text = filter.toLowerCase()
  return (value: unknown) =>
    (Array.isArray(value) ? value.join(', ') : String(value ?? '')).toLowerCase().includes(text)
}

export const textValues: KindValues = { matches: contains, isSearched: true }

/** Never found by the search. */
export const unsearchedValues: KindValues = { matches: contains }
