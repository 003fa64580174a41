import type { CellProps } from '../parts/kind.ts'
import { NamesCell } from '../reference/NamesCell.tsx'

export function IdSetCell(props: CellProps) {
  const chosen = Object.entries((props.value as Record<string, boolean> | null) ?? {}).filter(([, on]) => on)
  return <NamesCell {...props} value={chosen.map(([key]) => Number(key))} />
}
