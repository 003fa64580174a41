import type { ComponentType } from 'react'
import type { Kind } from '../../../schemas/define/describe.ts'
import { lazyPart } from '../parts/lazyPart.tsx'
import { ChoiceInput } from './ChoiceInput.tsx'
import { FlagInput } from './FlagInput.tsx'
import { JsonInput } from './JsonInput.tsx'
import type { InputProps } from './kind.ts'
import { IdSetInput, RefInput, RefsInput } from './ReferenceInputs.tsx'
import { SecretInput } from './SecretInput.tsx'
import { TextInput } from './TextInput.tsx'

/** A text input: number inputs change by the mouse wheel and swallow what they cannot read. */
const NumberInput = (props: InputProps) => (
  <TextInput {...props} inputMode={props.field.integer ? 'numeric' : 'decimal'} />
)
const MultilineInput = (props: InputProps) => <TextInput {...props} lines={3} />
const UrlInput = (props: InputProps) => <TextInput {...props} inputMode="url" />

/** How each kind of field is edited. */
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
  list: lazyPart(() => import('./ChipsInput.tsx')),
  json: JsonInput,
  moment: TextInput,
}
