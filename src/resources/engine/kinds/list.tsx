import type { CellProps } from './kind.ts'
import { TextCell } from './text.tsx'

export function ListCell(props: CellProps) {
  return <TextCell {...props} value={Array.isArray(props.value) ? props.value.join(', ') : props.value} />
}
