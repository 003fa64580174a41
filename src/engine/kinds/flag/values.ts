import type { KindValues } from '../parts/kind.ts'

export const flagValues: KindValues = {
  // The same in every language, and what spreadsheets take for a yes or no.
  exportText: (value) => String(Boolean(value)),
  matches: (filter) => (value) => Boolean(value) === (filter === 'true'),
}
