import '../../parts/row.css'
import { type ComponentProps, useRef } from 'react'
import { type Identifier, useEvent, useListContext } from 'react-admin'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: string
  indeterminate?: boolean
}

/** The browser's own checkbox in a larger target: a table of 100 rows needs no heavier one. */
export function Checkbox({ label, indeterminate = false, ...props }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input
        {...props}
        type="checkbox"
        aria-label={label}
        ref={(input) => {
          if (input) input.indeterminate = indeterminate
        }}
      />
    </label>
  )
}

/** How much of the page is selected. */
export function usePageSelection() {
  const { data = [], selectedIds, onSelect } = useListContext()
  const ids = data.map(({ id }) => id)
  const chosen = ids.filter((id) => selectedIds.includes(id))
  const isWhole = ids.length > 0 && chosen.length === ids.length
  return {
    isEmpty: ids.length === 0,
    isWhole,
    isPartial: chosen.length > 0 && !isWhole,
    /** Selects, or clears, all rows of the page; what is selected on other pages stays. */
    toggle: () => {
      const elsewhere = selectedIds.filter((id) => !ids.includes(id))
      onSelect(isWhole ? elsewhere : [...elsewhere, ...ids])
    },
  }
}

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
