import OutlinedInput from '@mui/material/OutlinedInput'
import type { ComponentType } from 'react'
import { useTranslate } from 'react-admin'
import type { Kind } from '../../schemas/define/describe.ts'
import { useChoiceText } from './cells.tsx'
import { RangeFilter } from './moment/inputs.tsx'
import type { FilterProps } from './parts/kind.tsx'
import { ReferenceFilter, SelectFilter } from './parts/SelectFilter.tsx'

interface TextFilterProps extends Pick<FilterProps, 'id' | 'value' | 'onChange'> {
  inputMode?: 'numeric'
}

export const TextFilter = ({ id, value, onChange, inputMode }: TextFilterProps) => (
  <OutlinedInput
    id={id}
    size="small"
    value={value}
    inputMode={inputMode}
    onChange={(event) => onChange(event.target.value)}
  />
)

const NumberFilter = (props: FilterProps) => <TextFilter {...props} inputMode="numeric" />

/** What sets a filter by each kind of field. Apart from `inputs.tsx`, because the filter panel needs no form. */
export const filters: Record<Kind, ComponentType<FilterProps>> = {
  text: TextFilter,
  multiline: TextFilter,
  url: TextFilter,
  secret: TextFilter,
  number: NumberFilter,
  flag: FlagFilter,
  choice: ChoiceFilter,
  ref: ReferenceFilter,
  refs: ReferenceFilter,
  idSet: ReferenceFilter,
  list: TextFilter,
  json: TextFilter,
  moment: RangeFilter,
}

function ChoiceFilter(props: FilterProps) {
  const { field, entity } = props
  const textOf = useChoiceText(entity)
  const options = Object.entries(field.choices ?? {}).map(([value, name]) => ({
    value,
    text: textOf(field.name, name, value),
  }))
  return <SelectFilter {...props} options={options} />
}

function FlagFilter(props: FilterProps) {
  const translate = useTranslate()
  const options = ['true', 'false'].map((value) => ({ value, text: translate(`ra.boolean.${value}`) }))
  return <SelectFilter {...props} options={options} />
}
