import type { CellProps } from '../parts/kind.ts'
import { TextCell } from '../text/cell.tsx'

export function ListCell(props: CellProps) {
  return <TextCell {...props} value={Array.isArray(props.value) ? props.value.join(', ') : props.value} />
}
