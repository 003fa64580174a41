import FilterIcon from '@mui/icons-material/FilterList'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import { Suspense, useState } from 'react'
import { useListFilterContext, useTranslate } from 'react-admin'
import type { Filter } from '../define/defineResource.ts'
import { useScreen } from '../define/screen.ts'
import { cells } from '../kinds/cells.tsx'
import { RecordName } from '../kinds/reference/useNames.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'
import { type FilterField, useFilterFields } from './filterFields.ts'

const FilterPanel = lazyPart(() => import('./FilterPanel.tsx'))

/** The value of a filter of its own, in words. */
function OwnFilterText({ filter: { to, words, wordOf }, value }: { filter: Filter; value: string }) {
  const { language } = useScreen()
  if (to) return <RecordName to={to} id={value} />
  const key = words?.[value]
  return key ? language.translate(key) : (wordOf?.(value, language) ?? value)
}

/** The active filters as chips, and the button that opens the filter panel. */
export function FilterBar() {
  const { filterValues, setFilters } = useListFilterContext()
  const translate = useTranslate()
  const fields = useFilterFields()
  const [anchor, setAnchor] = useState<HTMLElement>()
  const active = fields.filter(({ source }) => filterValues[source] !== undefined)
  const isNarrowed = active.length > 0 || Boolean(filterValues.q)
  const clear = (source: string) => setFilters({ ...filterValues, [source]: undefined })
  if (fields.length === 0) return null
  return (
    <>
      <Button
        color="inherit"
        variant="outlined"
        startIcon={<FilterIcon fontSize="small" />}
        aria-haspopup="dialog"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {translate('app.list.filters')}
      </Button>
      {active.map((field) => (
        <FilterChip
          key={field.source}
          field={field}
          value={filterValues[field.source]}
          onClear={() => clear(field.source)}
        />
      ))}
      {/* Always on the page: creating its styles would delay the first letter of a search. */}
      <Button style={isNarrowed ? undefined : { display: 'none' }} onClick={() => setFilters({})}>
        {translate('app.list.clear_filters')}
      </Button>
      {anchor ? (
        <Suspense>
          <FilterPanel anchor={anchor} fields={fields} onClose={() => setAnchor(undefined)} />
        </Suspense>
      ) : null}
    </>
  )
}

interface FilterChipProps {
  field: FilterField
  value: unknown
  onClear: () => void
}

function FilterChip({ field: { label, field, own }, value, onClear }: FilterChipProps) {
  const { entity } = useScreen()
  const text = String(value)
  const FilterText = field && cells[field.kind].FilterText
  const words = FilterText ? (
    <FilterText value={text} entity={entity.name} field={field} />
  ) : own ? (
    <OwnFilterText filter={own} value={text} />
  ) : (
    text
  )
  return (
    <Chip
      size="small"
      label={
        <>
          {label}: {words}
        </>
      }
      onDelete={onClear}
    />
  )
}
