import { useTranslate } from 'react-admin'
import { describeField, type FieldDescription } from '../../../schemas/define/describe.ts'
import type { Filter } from '../define/defineResource.ts'
import { useScreen } from '../define/screen.ts'

/** A filter of the list, ready to be drawn. */
export interface FilterField {
  source: string
  label: string
  field?: FieldDescription
  /** The values to choose from, where they are few and known. */
  options?: readonly { value: string; text: string }[]
}

/** The filters that a definition declares, with their labels and choices. */
export function useFilterFields(): FilterField[] {
  const { definition, entity, texts } = useScreen()
  const translate = useTranslate()
  return definition.filters.map((filter) => {
    if (typeof filter !== 'string') return ownFilter(filter)
    const field = describeField(entity, filter)
    return { source: filter, label: texts.label(filter), field, options: field && optionsOf(field) }
  })

  function ownFilter({ source, choices }: Filter): FilterField {
    const options = choices.map((value) => ({ value, text: translate(`resources.${entity.name}.values.${value}`) }))
    return { source, label: translate(`resources.${entity.name}.columns.${source}`), options }
  }

  function optionsOf({ kind, name, choices = {} }: FieldDescription): FilterField['options'] {
    if (kind === 'flag') return ['true', 'false'].map((value) => ({ value, text: translate(`ra.boolean.${value}`) }))
    if (kind !== 'choice') return undefined
    return Object.entries(choices).map(([value, key]) => ({
      value,
      text: translate(`resources.${entity.name}.choices.${name}.${key}`),
    }))
  }
}
