import type { ComponentType } from 'react'
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

export interface ExportContext {
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
