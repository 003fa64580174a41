import { useListContext } from 'react-admin'

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
