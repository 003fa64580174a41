import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import type { Theme } from '@mui/material/styles'
import type { ComponentType, ReactNode } from 'react'
import { useInput, useTranslate, ValidationError } from 'react-admin'
import type { ValueQueries } from '../../../records/queryRows.ts'
import type { FieldDescription } from '../../../schemas/define/describe.ts'

/** What a data provider, an export and a form's validation need to know of a field kind. No React in here. */
export interface KindValues extends ValueQueries {
  /**
   * What a cell shows of a value, as text for a file. It is asked for absent values too: servers leave out what is zero,
   * empty or false. Left out: the value as text, or as JSON.
   */
  exportText?: (value: unknown, context: ExportContext) => string
  /** Reads the text of an input whose value is no text. Not asked for blank text, which means that there is none. */
  readText?: (text: string) => unknown
  /** The text key of the error for a value in the wrong format. */
  invalidFormat?: string
}

interface ExportContext {
  field: FieldDescription
  /** A record that the field refers to: its name and id, or that it was deleted. */
  recordText: (id: string) => string
  /** The text of a code, by the name that the schema gives it. */
  choiceText: (name: string) => string
  translate: (key: string) => string
}

/** What a list needs of a field kind. */
export interface KindCell {
  Cell: ComponentType<CellProps>
  /** The value of a filter in words. Left out: the value itself. */
  FilterText?: ComponentType<FilterTextProps>
}

export interface CellProps {
  value: unknown
  /** The entity whose record is shown: its texts name the codes. */
  entity: string
  /** Absent for a dotted source. */
  field?: FieldDescription
}

export interface FilterTextProps {
  value: string
  entity: string
  field: FieldDescription
}

export interface InputProps {
  field: FieldDescription
  entity: string
  label: string
  help?: string
}

export interface FilterProps {
  id: string
  /** The id of the element with the label. */
  labelId: string
  /** As it stands in the address; empty for no filter. */
  value: string
  onChange: (value: string) => void
  entity: string
  field: FieldDescription
}

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
