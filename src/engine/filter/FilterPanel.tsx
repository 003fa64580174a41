import FormLabel from '@mui/material/FormLabel'
import Popover from '@mui/material/Popover'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { useListFilterContext, useTranslate } from 'react-admin'
import { useScreen } from '../define/screen.ts'
import { filters } from '../kinds/filters.tsx'
import type { FilterField } from './filterFields.ts'
import { OwnFilterInput } from './OwnFilterInput.tsx'

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
