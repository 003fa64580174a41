import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import type { Theme } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useInput, useTranslate, ValidationError } from 'react-admin'
import type { FieldDescription } from '../../../schemas/define/describe.ts'

interface FieldFrameProps {
  id: string
  label: string
  help?: string
  required: boolean
  error?: string
  children: ReactNode
}

/** The id of an input's help and error, for its `aria-describedby`. */
export const describedBy = (id: string) => `${id}-help`

/** What gets the focus is scrolled to with its label above and two lines of help or error below. */
const fieldScroll = { '& :is(input, textarea, select)': { scrollMarginBlock: '32px 56px' } }

/**
 * Styles of a grid of fields: as many beside one another as fit, with their controls at one height, although the label or
 * the help of one takes more lines than those beside it.
 * @param least width of a field, in pixels
 */
export const fieldGrid =
  (least: number) =>
  ({ theme }: { theme: Theme }) => ({
    display: 'grid',
    gap: theme.spacing(1.5),
    gridTemplateColumns: `repeat(auto-fit, minmax(min(${least}px, 100%), 1fr))`,
    alignItems: 'start',
    // Label, control and help are a row each.
    '& > *': { gridRow: 'span 3' },
    '& > .MuiFormControl-root': { display: 'grid', gridTemplateRows: 'subgrid', rowGap: 0 },
  })

/** Label, control, then the error or else the help. Optional fields are marked, because most are required. */
export function FieldFrame({ id, label, help, required, error, children }: FieldFrameProps) {
  const translate = useTranslate()
  return (
    <FormControl fullWidth error={Boolean(error)} sx={fieldScroll}>
      <FormLabel htmlFor={id} sx={{ marginBottom: 0.5, fontSize: 13, fontWeight: 600 }}>
        {label}
        {required ? null : (
          <span style={{ fontWeight: 400, opacity: 0.8 }}>{` (${translate('app.form.optional')})`}</span>
        )}
      </FormLabel>
      {children}
      <FormHelperText id={describedBy(id)} role={error ? 'alert' : undefined} sx={{ marginX: 0 }}>
        {error ? <ValidationError error={error} /> : help}
      </FormHelperText>
    </FormControl>
  )
}

/**
 * A field of the surrounding form. The value stays as typed: the schema parses it on save.
 * @param format how the value is shown; the form keeps the value itself until somebody edits it
 */
export function useField<Value = string>({ name }: FieldDescription, format = (value: Value) => value) {
  const { id, field, fieldState } = useInput<Value>({ source: name, parse: (value) => value, format })
  return { id, field: field as Omit<typeof field, 'value'> & { value: Value }, error: fieldState.error?.message }
}
