import type { ComponentType } from 'react'
import type { Kind } from '../../schemas/define/describe.ts'
import { ChoiceInput } from './choice/input.tsx'
import { FlagInput } from './flag/input.tsx'
import { IdSetInput } from './idSet/input.tsx'
import { JsonInput } from './json/input.tsx'
import { ListInput } from './list/input.ts'
import { MomentInput } from './moment/input.tsx'
import { MultilineInput } from './multiline/input.tsx'
import { NumberInput } from './number/input.tsx'
import type { InputProps } from './parts/kind.ts'
import { RefInput } from './ref/input.tsx'
import { RefsInput } from './refs/input.tsx'
import { SecretInput } from './secret/input.tsx'
import { TextInput } from './text/input.tsx'
import { UrlInput } from './url/input.tsx'

/** How each kind of field is edited in a form. */
export const inputs: Record<Kind, ComponentType<InputProps>> = {
  text: TextInput,
  multiline: MultilineInput,
  url: UrlInput,
  secret: SecretInput,
  number: NumberInput,
  flag: FlagInput,
  choice: ChoiceInput,
  ref: RefInput,
  refs: RefsInput,
  idSet: IdSetInput,
  list: ListInput,
  json: JsonInput,
  moment: MomentInput,
}
