import type { ComponentType } from 'react'
import type { FieldDescription } from '../../../schemas/describe.ts'

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

/** All that a field kind is on screen: how a value is shown, and how it is edited. */
export interface FieldKind {
  Cell: ComponentType<CellProps>
  Input: ComponentType<InputProps>
}
