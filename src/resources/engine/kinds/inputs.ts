import type { Kind } from '../../../schemas/define/describe.ts'
import { ChoiceFilter } from './choice/filter.tsx'
import { ChoiceInput } from './choice/input.tsx'
import { FlagFilter } from './flag/filter.tsx'
import { FlagInput } from './flag/input.tsx'
import { IdSetInput } from './idSet/input.tsx'
import { JsonInput } from './json/input.tsx'
import { ListInput } from './list/input.ts'
import { RangeFilter } from './moment/filter.tsx'
import { MomentInput } from './moment/input.tsx'
import { MultilineInput } from './multiline/input.tsx'
import { NumberFilter } from './number/filter.tsx'
import { NumberInput } from './number/input.tsx'
import type { KindInput } from './parts/kind.ts'
import { RefInput } from './ref/input.tsx'
import { ReferenceFilter } from './reference/filter.tsx'
import { RefsInput } from './refs/input.tsx'
import { SecretInput } from './secret/input.tsx'
import { TextFilter } from './text/filter.tsx'
import { TextInput } from './text/input.tsx'
import { UrlInput } from './url/input.tsx'

/** How each kind of field is edited in forms, and how lists are filtered by it. */
export const inputs: Record<Kind, KindInput> = {
  text: { Input: TextInput, Filter: TextFilter },
  multiline: { Input: MultilineInput, Filter: TextFilter },
  url: { Input: UrlInput, Filter: TextFilter },
  secret: { Input: SecretInput, Filter: TextFilter },
  number: { Input: NumberInput, Filter: NumberFilter },
  flag: { Input: FlagInput, Filter: FlagFilter },
  choice: { Input: ChoiceInput, Filter: ChoiceFilter },
  ref: { Input: RefInput, Filter: ReferenceFilter },
  refs: { Input: RefsInput, Filter: ReferenceFilter },
  idSet: { Input: IdSetInput, Filter: ReferenceFilter },
  list: { Input: ListInput, Filter: TextFilter },
  json: { Input: JsonInput, Filter: TextFilter },
  moment: { Input: MomentInput, Filter: RangeFilter },
}
