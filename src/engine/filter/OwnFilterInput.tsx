import { useMemo } from 'react'
import { useGetList } from 'react-admin'
import type { Row } from '../../records/queryRows.ts'
import { everyRow } from '../../records/wholeList.ts'
import type { Filter } from '../define/filter.ts'
import { useScreen } from '../define/screen.ts'
import { TextFilter } from '../kinds/filters.tsx'
import { SelectFilter } from '../kinds/parts/SelectFilter.tsx'
import { RecordFilter } from '../kinds/reference/filter.tsx'

interface OwnFilterInputProps {
  filter: Filter
  id: string
  /** As it stands in the address; empty for no filter. */
  value: string
  onChange: (value: string) => void
}

/** What sets a filter that a definition declares by itself. */
export function OwnFilterInput({ filter, ...props }: OwnFilterInputProps) {
  const { translate } = useScreen()
  const { words, to, valuesOf } = filter
  if (words) {
    const options = Object.entries(words).map(([value, key]) => ({ value, text: translate(key) }))
    return <SelectFilter {...props} options={options} />
  }
  if (to) return <RecordFilter {...props} to={to} />
  return valuesOf ? <ValueFilter {...props} filter={filter} /> : <TextFilter {...props} />
}

/** One of the values that the rows of the whole list have now, and the chosen one, which they may have no more. */
function ValueFilter({ filter: { valuesOf, wordOf }, ...props }: OwnFilterInputProps) {
  const { entity, language } = useScreen()
  const { data } = useGetList<Row>(entity.name, { pagination: everyRow, sort: { field: 'id', order: 'ASC' } })
  const options = useMemo(() => {
    const values = new Set([...(data ?? []).flatMap((row) => valuesOf?.(row) ?? []), props.value])
    values.delete('')
    const { compare } = new Intl.Collator(language.locale, { numeric: true })
    return [...values]
      .map((value) => ({ value, text: wordOf?.(value, language) ?? value }))
      .sort((one, other) => compare(one.text, other.text))
  }, [data, valuesOf, wordOf, language, props.value])
  return <SelectFilter {...props} options={options} />
}
