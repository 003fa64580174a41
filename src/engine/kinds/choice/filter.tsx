import type { FilterProps } from '../parts/kind.ts'
import { SelectFilter } from '../parts/SelectFilter.tsx'
import { useChoiceText } from './cell.tsx'

export function ChoiceFilter(props: FilterProps) {
  const { field, entity } = props
  const textOf = useChoiceText(entity)
  const options = Object.entries(field.choices ?? {}).map(([value, name]) => ({
    value,
    text: textOf(field.name, name, value),
  }))
  return <SelectFilter {...props} options={options} />
}
