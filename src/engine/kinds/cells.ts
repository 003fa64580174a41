import type { Kind } from '../../schemas/define/describe.ts'
import { ChoiceCell, ChoiceFilterText } from './choice/cell.tsx'
import { FlagCell, FlagFilterText } from './flag/cell.tsx'
import { IdSetCell } from './idSet/cell.tsx'
import { JsonCell } from './json/cell.tsx'
import { ListCell } from './list/cell.tsx'
import { MomentCell, RangeFilterText } from './moment/cell.tsx'
import { NumberCell } from './number/cell.tsx'
import type { KindCell } from './parts/kind.ts'
import { NameFilterText, NamesCell } from './reference/NamesCell.tsx'
import { SecretCell } from './secret/cell.tsx'
import { TextCell } from './text/cell.tsx'

/** How each kind of field is shown in lists. Apart from `inputs.ts`, because a list must not load what forms need. */
export const cells: Record<Kind, KindCell> = {
  text: { Cell: TextCell },
  multiline: { Cell: TextCell },
  url: { Cell: TextCell },
  secret: { Cell: SecretCell },
  number: { Cell: NumberCell },
  flag: { Cell: FlagCell, FilterText: FlagFilterText },
  choice: { Cell: ChoiceCell, FilterText: ChoiceFilterText },
  ref: { Cell: NamesCell, FilterText: NameFilterText },
  refs: { Cell: NamesCell, FilterText: NameFilterText },
  idSet: { Cell: IdSetCell, FilterText: NameFilterText },
  list: { Cell: ListCell },
  json: { Cell: JsonCell },
  moment: { Cell: MomentCell, FilterText: RangeFilterText },
}
