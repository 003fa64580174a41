import type { KindValues } from '../parts/kind.ts'

export const flagValues: KindValues = {
  matches: (wanted) => (value) => Boolean(value) === (wanted === 'true'),
}
