import { useLocaleState, useTranslate } from 'react-admin'
import type { CellProps } from '../parts/kind.ts'
import { isNoTime } from './dateTime.ts'

/** A point in time, in the person's own zone; the exact value on hover. */
export function MomentCell({ value }: CellProps) {
  const [locale] = useLocaleState()
  const translate = useTranslate()
  if (!value) return null
  const time = new Date(String(value))
  if (isNoTime(value)) return translate('app.duration.never')
  if (Number.isNaN(time.valueOf())) return String(value)
  return (
    <time dateTime={String(value)} title={String(value)}>
      {time.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })}
    </time>
  )
}
