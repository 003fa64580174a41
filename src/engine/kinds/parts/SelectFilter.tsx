import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useGetList, useTranslate } from 'react-admin'
import { everyRow } from '../../../records/queryRows.ts'
import { entityNamed } from '../../../schemas/index.ts'
import type { FilterProps } from './kind.tsx'

interface SelectFilterProps {
  id: string
  /** Empty for any. */
  value: string
  onChange: (value: string) => void
  options: readonly { value: string; text: string }[]
}

/** One of several values, or any. */
export function SelectFilter({ id, value, onChange, options }: SelectFilterProps) {
  const translate = useTranslate()
  return (
    <NativeSelect
      input={<OutlinedInput size="small" notched={false} />}
      inputProps={{ id }}
      value={value}
      onChange={(event) => onChange(event.target.value)}
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

export const ReferenceFilter = (props: FilterProps) => <RecordFilter {...props} to={props.field.to ?? ''} />

/** The records of an entity, by name: the browser's own select finds one of thousands by typing. */
export function RecordFilter({ to, ...props }: Pick<FilterProps, 'id' | 'value' | 'onChange'> & { to: string }) {
  const nameField = entityNamed(to)?.nameField ?? 'name'
  const { data = [] } = useGetList(to, { pagination: everyRow, sort: { field: nameField, order: 'ASC' } })
  const options = data.map((record) => ({ value: String(record.id), text: `${record[nameField] || ''} #${record.id}` }))
  return <SelectFilter {...props} options={options} />
}
