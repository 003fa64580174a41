import InputAdornment from '@mui/material/InputAdornment'
import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useId, useState } from 'react'
import { describedBy, FieldFrame } from '../../engine/kinds/parts/kind.tsx'

interface NumberFieldProps {
  label: string
  help?: string
  unit?: string
  value: unknown
  /** Called with a number, `undefined` for an empty input, or the text if it is not a number, which the schema rejects. */
  onChange: (value: unknown) => void
}

const asText = (value: unknown) => (value === undefined || value === null ? '' : String(value))
const readNumber = (text: string) => {
  if (text.trim() === '') return undefined
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

/** A number input. It keeps the typed text while that means the same number, so that `1.05` can be typed after `1.0`. */
export function NumberField({ label, help, unit, value, onChange }: NumberFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState(() => asText(value))
  const text = readNumber(typed) === (value ?? undefined) ? typed : asText(value)
  return (
    <FieldFrame id={id} label={label} help={help} required>
      <OutlinedInput
        id={id}
        size="small"
        value={text}
        onChange={(event) => {
          setTyped(event.target.value)
          onChange(readNumber(event.target.value))
        }}
        endAdornment={unit ? <InputAdornment position="end">{unit}</InputAdornment> : undefined}
        slotProps={{ input: { inputMode: 'decimal', 'aria-describedby': describedBy(id) } }}
      />
    </FieldFrame>
  )
}

interface ChoiceFieldProps {
  label: string
  value: string
  choices: readonly string[]
  textOf: (choice: string) => string
  onChange: (choice: string) => void
}

export function ChoiceField({ label, value, choices, textOf, onChange }: ChoiceFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} required>
      <NativeSelect
        value={value}
        input={<OutlinedInput size="small" notched={false} />}
        inputProps={{ id }}
        onChange={(event) => onChange(event.target.value)}
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
