import type { ComponentType } from 'react'
import type { Kind } from '../../../schemas/define/describe.ts'
import { ChoiceCell } from './choice/cell.tsx'
import { FlagCell } from './flag/cell.tsx'
import { IdSetCell } from './idSet/cell.tsx'
import { JsonCell } from './json/cell.tsx'
import { ListCell } from './list/cell.tsx'
import { MomentCell } from './moment/cell.tsx'
import { NumberCell } from './number/cell.tsx'
import type { CellProps } from './parts/kind.ts'
import { NamesCell } from './reference/NamesCell.tsx'
import { SecretCell } from './secret/cell.tsx'
import { TextCell } from './text/cell.tsx'

/** How each kind of field is shown. Apart from `inputs.ts`, because a list must not load what only forms need. */
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
