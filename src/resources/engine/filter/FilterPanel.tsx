import FormLabel from '@mui/material/FormLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import Popover from '@mui/material/Popover'
import { styled } from '@mui/material/styles'
import { useId } from 'react'
import { useGetList, useListFilterContext, useTranslate } from 'react-admin'
import { everyRow } from '../../../records/wholeList.ts'
import { useNarrow } from '../parts/useNarrow.ts'
import type { FilterField } from './filterFields.ts'

const Panel = styled('form')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  width: 300,
  padding: theme.spacing(2),
  '& label': { display: 'block', marginBottom: 4, fontSize: 13, fontWeight: 600 },
  '& .MuiInputBase-root': { width: '100%' },
}))

interface FilterPanelProps {
  anchor: HTMLElement
  fields: readonly FilterField[]
  onClose: () => void
}

/** An input for each filter; what is set shows in the list at once. */
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

function FilterInput({ source, label, field, options }: FilterField) {
  const { filterValues } = useListFilterContext()
  const narrow = useNarrow()
  const id = useId()
  const value = String(filterValues[source] ?? '')
  const set = (wanted: string) => narrow({ ...filterValues, [source]: wanted || undefined })
  return (
    <div>
      <FormLabel htmlFor={id}>{label}</FormLabel>
      {options ? (
        <Choice id={id} value={value} onChoose={set} options={options} />
      ) : field?.to ? (
        <ReferenceChoice id={id} value={value} onChoose={set} to={field.to} />
      ) : (
        <OutlinedInput
          id={id}
          size="small"
          value={value}
          inputMode={field?.kind === 'number' ? 'numeric' : undefined}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </div>
  )
}

interface ChoiceProps {
  id: string
  value: string
  onChoose: (value: string) => void
}

function Choice({ id, value, onChoose, options }: ChoiceProps & { options: NonNullable<FilterField['options']> }) {
  const translate = useTranslate()
  return (
    <NativeSelect
      input={<OutlinedInput size="small" notched={false} />}
      inputProps={{ id }}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{translate('app.list.any')}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </NativeSelect>
  )
}

/** The records that a row may point at, by name: the browser's own list finds one of thousands by typing. */
function ReferenceChoice({ to, ...choice }: ChoiceProps & { to: string }) {
  const { data = [] } = useGetList(to, {
    pagination: everyRow,
    sort: { field: 'name', order: 'ASC' },
  })
  return (
    <Choice {...choice} options={data.map(({ id, name }) => ({ value: String(id), text: `${name || ''} #${id}` }))} />
  )
}
