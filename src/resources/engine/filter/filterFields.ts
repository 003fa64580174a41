import { useTranslate } from 'react-admin'
import { describeField, type FieldDescription } from '../../../schemas/define/describe.ts'
import { useScreen } from '../define/screen.ts'

/** A filter of the list. It filters by a field, or offers choices of its own. */
export interface FilterField {
  source: string
  label: string
  field?: FieldDescription
  options?: readonly { value: string; text: string }[]
}

/** The filters that a definition declares, with their labels and choices. */
export function useFilterFields(): FilterField[] {
  const { definition, entity, texts } = useScreen()
  const translate = useTranslate()
  return definition.filters.map((filter) => {
    if (typeof filter === 'string') {
      return { source: filter, label: texts.label(filter), field: describeField(entity, filter) }
    }
    const { source, choices } = filter
    return {
      source,
      label: translate(`resources.${entity.name}.columns.${source}`),
      options: choices.map((value) => ({ value, text: translate(`resources.${entity.name}.values.${value}`) })),
    }
  })
}
