import { useTranslate } from 'react-admin'
import type { FilterProps } from '../parts/kind.ts'
import { SelectFilter } from '../parts/SelectFilter.tsx'

export function FlagFilter(props: FilterProps) {
  const translate = useTranslate()
  const options = ['true', 'false'].map((value) => ({ value, text: translate(`ra.boolean.${value}`) }))
  return <SelectFilter {...props} options={options} />
}
