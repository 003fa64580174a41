import FormLabel from '@mui/material/FormLabel'
import Popover from '@mui/material/Popover'
import { styled } from '@mui/material/styles'
import { useId, useMemo } from 'react'
import { useGetList, useListFilterContext, useTranslate } from 'react-admin'
import { everyRow, type Row } from '../../records/queryRows.ts'
import type { Filter } from '../define/defineResource.ts'
import { useScreen } from '../define/screen.ts'
import { filters, TextFilter } from '../kinds/filters.tsx'
import { RecordFilter, SelectFilter } from '../kinds/parts/SelectFilter.tsx'
import type { FilterField } from './filterFields.ts'

const Panel = styled('form')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  width: 300,
  maxHeight: '70vh',
  overflowY: 'auto',
  padding: theme.spacing(2),
  '& label': { display: 'block', marginBottom: 4, fontSize: 13, fontWeight: 600 },
  '& .MuiInputBase-root': { width: '100%' },
}))

interface FilterPanelProps {
  anchor: HTMLElement
  fields: readonly FilterField[]
  onClose: () => void
}

/** An input for each filter; the list follows at once. */
export default function FilterPanel({ anchor, fields, onClose }: FilterPanelProps) {
  const translate = useTranslate()
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': translate('app.list.filters') } as object }}
    >
      <Panel
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
        }}
      >
        {fields.map((field) => (
          <FilterInput key={field.source} {...field} />
        ))}
      </Panel>
    </Popover>
  )
}

function FilterInput({ source, label, field, own }: FilterField) {
  const { entity } = useScreen()
  const { filterValues, setFilters } = useListFilterContext()
  const id = useId()
  const labelId = `${id}-label`
  const props = {
    id,
    value: String(filterValues[source] ?? ''),
    onChange: (value: string) => setFilters({ ...filterValues, [source]: value || undefined }),
  }
  const Filter = field && filters[field.kind]
  return (
    <div>
      <FormLabel id={labelId} htmlFor={id}>
        {label}
      </FormLabel>
      {Filter ? (
        <Filter {...props} labelId={labelId} entity={entity.name} field={field} />
      ) : own ? (
        <OwnFilterInput {...props} filter={own} />
      ) : null}
    </div>
  )
}

interface OwnFilterInputProps {
  filter: Filter
  id: string
  /** As it stands in the address; empty for no filter. */
  value: string
  onChange: (value: string) => void
}

/** What sets a filter that a definition declares by itself. */
function OwnFilterInput({ filter, ...props }: OwnFilterInputProps) {
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
