import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { createContext, use, useId, useState } from 'react'
import { useTranslate } from 'react-admin'
import { KeyValueRows } from '../../../components/inputs/KeyValueRows.tsx'
import { describedBy, FieldFrame, fieldGrid } from '../../../engine/kinds/parts/kind.tsx'
import type { Values } from '../../../schemas/define/values.ts'
import { parseStringMap } from '../../../schemas/formats/stringMap.ts'

interface ControlProps {
  /** The field of the check. */
  name: string
  /** The key of its help. */
  help?: string
}

const secretHints = { kept: 'app.form.kept_if_stored', not_copied: 'app.form.not_copied' } as const

/** What the inputs of a check have in common: label, help, value and error of a field. */
function useControl({ name, help }: ControlProps) {
  const translate = useTranslate()
  const { check, set, errors, emptySecrets } = useCheckForm()
  const error = errors.get(name)
  return {
    id: useId(),
    label: translate(`app.checks.fields.${name}`),
    help: help && translate(`app.checks.help.${help}`),
    value: check[name],
    change: (value: unknown) => set({ [name]: value }),
    error,
    secretHint: emptySecrets && translate(secretHints[emptySecrets]),
  }
}

interface TextProps extends ControlProps {
  lines?: number
  isSecret?: boolean
  placeholder?: string
}

/** A text; a secret has the hint that it stays when it is left empty. */
export function CheckText({ lines, isSecret = false, placeholder, ...props }: TextProps) {
  const { id, label, help, value, change, error, secretHint } = useControl(props)
  const hint = [help, isSecret && secretHint].filter(Boolean).join(' ')
  return (
    <FieldFrame id={id} label={label} help={hint} required={false} error={error}>
      <OutlinedInput
        id={id}
        size="small"
        value={String(value ?? '')}
        onChange={(event) => change(event.target.value)}
        placeholder={placeholder}
        error={Boolean(error)}
        multiline={lines !== undefined}
        minRows={lines}
        maxRows={12}
        type={isSecret && lines === undefined ? 'password' : 'text'}
        sx={lines === undefined ? undefined : { fontFamily: 'monospace' }}
        slotProps={{ input: { 'aria-describedby': describedBy(id), autoComplete: 'new-password' } }}
      />
    </FieldFrame>
  )
}

/** A whole number; the text itself while it is none, which the schema refuses. */
export function CheckNumber(props: ControlProps) {
  const { id, label, help, value, change, error } = useControl(props)
  const [typed, setTyped] = useState<string>()
  const read = (text: string) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text)
  const shown = typed !== undefined && read(typed) === value ? typed : String(value ?? '')
  return (
    <FieldFrame id={id} label={label} help={help} required error={error}>
      <OutlinedInput
        id={id}
        size="small"
        value={shown}
        error={Boolean(error)}
        onChange={({ target }) => {
          setTyped(target.value)
          change(read(target.value))
        }}
        slotProps={{ input: { inputMode: 'numeric', 'aria-describedby': describedBy(id) } }}
      />
    </FieldFrame>
  )
}

interface ChoiceProps extends ControlProps {
  choices: readonly string[]
  /** Those of them that have a text; the others stand as they are. Default: all. */
  worded?: readonly string[]
  /** The choice that is shown. Default: the value of the field. */
  shown?: string
  /** Called with the choice in place of setting the field. */
  onChoose?: (choice: string) => void
}

/** One of several words. */
export function CheckChoice({ choices, worded = choices, shown, onChoose, ...props }: ChoiceProps) {
  const translate = useTranslate()
  const { id, label, help, value, change, error } = useControl(props)
  const textOf = (choice: string) =>
    worded.includes(choice) ? translate(`app.checks.choices.${props.name}.${choice || 'none'}`) : choice
  return (
    <FieldFrame id={id} label={label} help={help} required error={error}>
      <NativeSelect
        value={shown ?? String(value ?? '')}
        input={<OutlinedInput size="small" notched={false} />}
        inputProps={{ id, 'aria-describedby': describedBy(id) }}
        onChange={(event) => (onChoose ?? change)(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {textOf(choice)}
          </option>
        ))}
      </NativeSelect>
    </FieldFrame>
  )
}

/** A yes or no. */
export function CheckFlag(props: ControlProps) {
  const { label, value, change } = useControl(props)
  return (
    <FormControlLabel
      label={label}
      slotProps={{ typography: { variant: 'body2' } }}
      control={<Checkbox size="small" checked={value === true} onChange={(_, checked) => change(checked)} />}
    />
  )
}

/** Names with values. */
export function CheckPairs({ isSecret = false, ...props }: ControlProps & { isSecret?: boolean }) {
  const { id, label, help, value, change, error, secretHint } = useControl(props)
  const hint = [help, isSecret && secretHint].filter(Boolean).join(' ')
  return (
    <FieldFrame id={id} label={label} help={hint} required={false} error={error}>
      <KeyValueRows
        id={id}
        label={label}
        text={JSON.stringify(value ?? {})}
        onChange={(text) => change(parseStringMap(text) ?? {})}
      />
    </FieldFrame>
  )
}

/** Several texts, one on each line. */
export function CheckLines(props: ControlProps) {
  const { id, label, help, value, change, error } = useControl(props)
  const lines = Array.isArray(value) ? value.map(String) : []
  const [typed, setTyped] = useState<string>()
  const read = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  const shown = typed !== undefined && read(typed).join('\n') === lines.join('\n') ? typed : lines.join('\n')
  return (
    <FieldFrame id={id} label={label} help={help} required={false} error={error}>
      <OutlinedInput
        id={id}
        size="small"
        multiline
        minRows={2}
        maxRows={8}
        value={shown}
        error={Boolean(error)}
        onChange={({ target }) => {
          setTyped(target.value)
          change(read(target.value))
        }}
        slotProps={{ input: { 'aria-describedby': describedBy(id) } }}
      />
    </FieldFrame>
  )
}

/** Inputs beside each other, as far as there is room. */
export const CheckGrid = styled('div')(fieldGrid(220))

/** The check of the form around, for the inputs of its fields. */
export interface CheckForm {
  check: Values
  set: (changes: Values) => void
  /** The text of what is wrong with a field, by its path: `auth.user`. */
  errors: ReadonlyMap<string, string>
  /** What becomes of secrets that are left empty: they stay as they are stored, or were not copied. */
  emptySecrets: 'kept' | 'not_copied' | undefined
}

export const CheckFormContext = createContext<CheckForm>({
  check: {},
  set: () => {},
  errors: new Map(),
  emptySecrets: undefined,
})

export const useCheckForm = () => use(CheckFormContext)
