import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { describedBy, FieldFrame } from './FieldFrame.tsx'
import type { CellProps, FieldKind, InputProps } from './kind.ts'
import { useField } from './useField.ts'

const asText = (value: unknown) => (value === null || value === undefined ? '' : String(value))

const Ellipsis = styled('span')({ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' })

export function TextCell({ value }: CellProps) {
  const text = asText(value)
  return <Ellipsis title={text}>{text}</Ellipsis>
}

interface TextInputProps extends InputProps {
  lines?: number
  inputMode?: 'url' | 'numeric' | 'decimal'
  mono?: boolean
  format?: (value: unknown) => string
}

export function TextInput({
  field: description,
  label,
  help,
  lines,
  inputMode,
  mono,
  format = asText,
}: TextInputProps) {
  const { id, field, error } = useField<unknown>(description, format)
  // The frame must not get the ref as well: what is focused is the box.
  const { ref, ...rest } = field
  return (
    <FieldFrame id={id} label={label} help={help} required={description.required} error={error}>
      <OutlinedInput
        {...rest}
        inputRef={ref}
        id={id}
        size="small"
        error={Boolean(error)}
        multiline={lines !== undefined}
        minRows={lines}
        maxRows={12}
        sx={mono ? { fontFamily: 'monospace' } : undefined}
        slotProps={{ input: { 'aria-describedby': describedBy(id), 'aria-required': description.required, inputMode } }}
      />
    </FieldFrame>
  )
}

export const text: FieldKind = { Cell: TextCell, Input: TextInput }
export const multiline: FieldKind = { Cell: TextCell, Input: (props) => <TextInput {...props} lines={3} /> }
export const url: FieldKind = { Cell: TextCell, Input: (props) => <TextInput {...props} inputMode="url" /> }
