import type { ComponentType } from 'react'
import type { Kind } from '../../../schemas/define/describe.ts'
import { ChoiceCell } from './choice.tsx'
import { FlagCell } from './flag.tsx'
import { JsonCell } from './json.tsx'
import type { CellProps } from './kind.ts'
import { ListCell } from './list.tsx'
import { MomentCell } from './moment.tsx'
import { NumberCell } from './number.tsx'
import { IdSetCell, NamesCell } from './refs.tsx'
import { SecretCell } from './secret.tsx'
import { TextCell } from './text.tsx'

/**
 * How each kind of field is shown. Apart from `inputs.ts`, because a list has no use for what forms bring along;
 * a new kind is one row in each.
 */
export const cells: Record<Kind, ComponentType<CellProps>> = {
  text: TextCell,
  multiline: TextCell,
  url: TextCell,
  secret: SecretCell,
  number: NumberCell,
  flag: FlagCell,
  choice: ChoiceCell,
  ref: NamesCell,
  refs: NamesCell,
  idSet: IdSetCell,
  list: ListCell,
  json: JsonCell,
  moment: MomentCell,
}
