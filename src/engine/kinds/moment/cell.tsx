import { useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../../components/format/format.ts'
import { endsOf, isNoTime, timeOf } from '../../../schemas/formats/time.ts'
import type { CellProps, FilterTextProps } from '../parts/kind.ts'

/** A point in time in the zone of this browser; the exact value on hover. */
export function MomentCell({ value }: CellProps) {
  const [locale] = useLocaleState()
  const translate = useTranslate()
  if (!value) return null
  if (isNoTime(value)) return translate('app.duration.never')
  const at = timeOf(value)
  if (at === undefined) return String(value)
  return (
    <time dateTime={String(value)} title={String(value)}>
      {formatDateTime(at, locale)}
    </time>
  )
}

/** A range of time; an end that is open is '…'. */
export function RangeFilterText({ value }: FilterTextProps) {
  const [locale] = useLocaleState()
  const ends = endsOf(value).map((end) => {
    const at = timeOf(end)
    return at === undefined ? '…' : formatDateTime(at, locale)
  })
  return ends.join(' – ')
}
