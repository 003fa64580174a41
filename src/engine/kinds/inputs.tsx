import type { ComponentType } from 'react'
import type { Kind } from '../../schemas/define/describe.ts'
import { lazyPart } from '../parts/lazyPart.tsx'
import { ChoiceInput, FlagInput, SecretInput, TextInput } from './basicInputs.tsx'
import { MomentInput } from './moment/inputs.tsx'
import { type InputProps, useField } from './parts/kind.tsx'
import { LazyReferencePicker } from './reference/LazyReferencePicker.ts'

const asText = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 2)

/** A value as JSON text. The form holds the value until somebody edits the text; then the schema parses it. */
export function JsonInput(props: InputProps) {
  return <TextInput {...props} lines={4} mono format={asText} />
}

const UrlInput = (props: InputProps) => <TextInput {...props} inputMode="url" />

/**
 * A text input: number inputs change by the mouse wheel and swallow what they cannot read. One with a default always has
 * a value, the default again when it is emptied, so it is not marked as optional.
 */
const NumberInput = (props: InputProps) => (
  <TextInput
    {...props}
    inputMode={props.field.integer ? 'numeric' : 'decimal'}
    hasDefault={props.field.initial !== undefined}
  />
)

const MultilineInput = (props: InputProps) => <TextInput {...props} lines={3} />

/** Fetched by the first form that draws it: few forms have a list. */
const ListInput = lazyPart(() => import('./ChipsInput.tsx'))

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

/** What the picker of records needs of an input. */
const pickerProps = ({ field, label, help }: InputProps) => ({
  to: field.to ?? '',
  required: field.required,
  label,
  help,
})

/** A set of ids, on the wire `{ "3": true }`. An entry with `false` has no meaning and stays as it came. */
function IdSetInput(props: InputProps) {
  const { id, field, error } = useField<Record<string, boolean> | null>(props.field)
  const entries = Object.entries(field.value ?? {})
  const chosen = entries.filter(([, on]) => on).map(([key]) => Number(key))
  const choose = (ids: readonly number[]) => {
    const off = entries.filter(([key, on]) => !on && !ids.includes(Number(key)))
    field.onChange({ ...Object.fromEntries(off), ...Object.fromEntries(ids.map((key) => [key, true])) })
  }
  return (
    <LazyReferencePicker
      {...pickerProps(props)}
      multiple
      id={id}
      error={error}
      binding={field}
      chosen={chosen}
      onChoose={choose}
    />
  )
}

/** One record of another entity; 0 means none. */
function RefInput(props: InputProps) {
  const { id, field, error } = useField<number>(props.field)
  return (
    <LazyReferencePicker
      {...pickerProps(props)}
      id={id}
      error={error}
      binding={field}
      chosen={field.value ? [field.value] : []}
      onChoose={(ids) => field.onChange(ids[0] ?? 0)}
    />
  )
}

/** Several records of another entity. `null` and an empty list mean the same. */
function RefsInput(props: InputProps) {
  const { id, field, error } = useField<number[] | null>(props.field)
  return (
    <LazyReferencePicker
      {...pickerProps(props)}
      multiple
      id={id}
      error={error}
      binding={field}
      chosen={field.value ?? []}
      onChoose={field.onChange}
    />
  )
}
