import { useLocaleState, useTranslate } from 'react-admin'
import { zeroTime } from '../../../schemas/define/wireNames.ts'
import type { CellProps } from './kind.ts'

/** A point in time, in the person's own zone; the exact value on hover. */
export function MomentCell({ value }: CellProps) {
  const [locale] = useLocaleState()
  const translate = useTranslate()
  if (!value) return null
  const time = new Date(String(value))
  if (value === zeroTime) return translate('app.duration.never')
  if (Number.isNaN(time.valueOf())) return String(value)
  return (
    <time dateTime={String(value)} title={String(value)}>
      {time.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'medium' })}
    </time>
  )
}
