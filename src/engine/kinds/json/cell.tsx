import type { CellProps } from '../parts/kind.ts'
import { TextCell } from '../text/cell.tsx'

export function JsonCell(props: CellProps) {
  return <TextCell {...props} value={props.value ? JSON.stringify(props.value) : ''} />
}
