import type { ComponentType } from 'react'
import type { Kind } from '../../schemas/define/describe.ts'
import { ChoiceFilter } from './choice/filter.tsx'
import { FlagFilter } from './flag/filter.tsx'
import { RangeFilter } from './moment/filter.tsx'
import { NumberFilter } from './number/filter.tsx'
import type { FilterProps } from './parts/kind.ts'
import { ReferenceFilter } from './reference/filter.tsx'
import { TextFilter } from './text/filter.tsx'

/** What sets a filter by each kind of field. Apart from `inputs.ts`, because the filter panel needs no form. */
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
