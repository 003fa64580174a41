import { useRef } from 'react'
import { type Identifier, useEvent, useListContext } from 'react-admin'

export type ToggleRow = (id: Identifier, range: boolean) => void

/** Ticks or clears one row; with the shift key held, all rows between it and the row touched last. */
export function useRangeSelection(): ToggleRow {
  const { data = [], selectedIds, onSelect } = useListContext()
  const last = useRef<Identifier>(undefined)
  return useEvent((id: Identifier, range: boolean) => {
    const ids = data.map((record) => record.id)
    const from = range && last.current !== undefined ? ids.indexOf(last.current) : -1
    const to = ids.indexOf(id)
    const touched = from < 0 ? [id] : ids.slice(Math.min(from, to), Math.max(from, to) + 1)
    last.current = id
    const rest = selectedIds.filter((selected) => !touched.includes(selected))
    onSelect(selectedIds.includes(id) ? rest : [...rest, ...touched])
  })
}
