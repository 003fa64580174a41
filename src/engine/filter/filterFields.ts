import { use } from 'react'
import { useTranslate } from 'react-admin'
import { describeField, type FieldDescription } from '../../schemas/define/describe.ts'
import type { Filter } from '../define/defineResource.ts'
import { AnnouncedFeaturesContext } from '../define/page.tsx'
import { useScreen } from '../define/screen.ts'

/** A filter of the list: by a field, or of its own. */
export interface FilterField {
  source: string
  label: string
  field?: FieldDescription
  own?: Filter
}

/** The filters that a definition declares and whose fields this server has, with their labels. */
export function useFilterFields(): FilterField[] {
  const { definition, entity, texts } = useScreen()
  const translate = useTranslate()
  const announced = use(AnnouncedFeaturesContext)
  const filters = definition.filters.map((filter) => {
    const own = typeof filter === 'string' ? undefined : filter
    const source = typeof filter === 'string' ? filter : filter.source
    const isField = describeField(entity, source.split('.')[0] ?? source) !== undefined
    return {
      source,
      own,
      label: isField ? texts.label(source) : translate(`resources.${entity.name}.columns.${source}`),
      field: own ? undefined : describeField(entity, source),
    }
  })
  return filters.filter(({ field, own }) => {
    const feature = (own ?? field)?.announced
    return !feature || announced?.has(feature)
  })
}
