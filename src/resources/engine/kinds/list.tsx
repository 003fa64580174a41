import { lazy } from 'react'
import type { CellProps, FieldKind } from './kind.ts'
import { TextCell } from './text.tsx'

function ListCell(props: CellProps) {
  return <TextCell {...props} value={Array.isArray(props.value) ? props.value.join(', ') : props.value} />
}

export const list: FieldKind = { Cell: ListCell, Input: lazy(() => import('./ChipsInput.tsx')) }
