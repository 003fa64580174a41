import type { FieldDescription } from '../../../../schemas/define/describe.ts'

export interface CellProps {
  value: unknown
  /** The entity whose record is shown: its texts name the codes. */
  entity: string
  /** Absent for a dotted source. */
  field?: FieldDescription
}

export interface InputProps {
  field: FieldDescription
  entity: string
  label: string
  help?: string
}
