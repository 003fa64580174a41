import { isNoTime, readRange, timeOf } from '../../../schemas/formats/time.ts'
import type { KindValues } from '../parts/kind.ts'

/** Sorted by the point in time, in whatever UTC offset it is written; filtered by a range with both ends in it. */
export const momentValues: KindValues = {
  sortKey: timeOf,
  matches: (range) => {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = readRange(range)
    return (value) => {
      const at = timeOf(value)
      return at !== undefined && at >= from && at < to
    }
  },
  exportText: (value, { translate }) =>
    value && isNoTime(value) ? translate('app.duration.never') : String(value ?? ''),
  invalidFormat: 'validation.moment',
}
