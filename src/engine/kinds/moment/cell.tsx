import { useLocaleState, useTranslate } from 'react-admin'
import { endsOf, isNoTime, timeOf } from '../../../schemas/formats/time.ts'
import type { CellProps, FilterTextProps } from '../parts/kind.ts'

const inWords = (at: number, locale: string) =>
  new Date(at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })

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
      {inWords(at, locale)}
    </time>
  )
}

/** A range of time; an end that is open is '…'. */
export function RangeFilterText({ value }: FilterTextProps) {
  const [locale] = useLocaleState()
  const ends = endsOf(value).map((end) => {
    const at = timeOf(end)
    return at === undefined ? '…' : inWords(at, locale)
  })
  return ends.join(' – ')
}
