import type { KindValues } from '../parts/kind.ts'

/** What kinds have in common whose values are ids. */
export const referenceValues = (ids: (value: unknown) => readonly string[]): KindValues & { ids: typeof ids } => ({
  ids,
  matches: (filter) => (value) => ids(value).includes(filter),
  exportText: (value, { recordText }) => ids(value).map(recordText).join('; '),
})
