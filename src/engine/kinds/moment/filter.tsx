import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { endsOf, rangeOf, timeOf } from '../../../schemas/formats/time.ts'
import type { FilterProps } from '../parts/kind.ts'
import { DateTimeBox } from './DateTimeBox.tsx'

const Range = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: theme.spacing(1),
  alignItems: 'center',
}))

/** From one point in time to another; either end may be open. */
export function RangeFilter({ id, labelId, value, onChange }: FilterProps) {
  const translate = useTranslate()
  const [from, to] = endsOf(value)
  const ends = [
    { name: 'from', end: from, withEnd: (end: string) => rangeOf(end, to) },
    { name: 'to', end: to, withEnd: (end: string) => rangeOf(from, end) },
  ]
  return (
    <Range role="group" aria-labelledby={labelId}>
      {ends.map(({ name, end, withEnd }) => (
        <RangeEnd key={name}>
          <span id={`${id}-${name}`}>{translate(`app.list.${name}`)}</span>
          <DateTimeBox
            id={name === 'from' ? id : `${id}-end`}
            value={end}
            aria-labelledby={`${labelId} ${id}-${name}`}
            onChange={(next) => {
              // A date of which a part is missing is no end yet.
              const range = withEnd(timeOf(next) === undefined ? '' : String(next))
              if (range !== value) onChange(range)
            }}
          />
        </RangeEnd>
      ))}
    </Range>
  )
}

const RangeEnd = styled('div')({ display: 'contents' })
