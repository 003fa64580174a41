import type { CellProps } from './kind.ts'
import { TextCell } from './text.tsx'

export function JsonCell(props: CellProps) {
  return <TextCell {...props} value={props.value ? JSON.stringify(props.value) : ''} />
}
