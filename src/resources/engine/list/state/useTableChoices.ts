import { useMemo } from 'react'
import { useStore } from 'react-admin'
import type { Column } from '../../define/defineResource.ts'
import { useScreen } from '../../define/screen.ts'

const none: string[] = []

/** A person's choices about a list, saved in this browser: hidden columns and row height. */
export function useTableChoices() {
  const { columns: all, entity } = useScreen()
  const [hidden, setHidden] = useStore<string[]>(`table.${entity.name}.hidden`, none)
  const [isDense, setDense] = useStore('table.dense', false)
  // The same array while the choice is the same: rows are drawn anew when their columns change.
  const columns: readonly Column[] = useMemo(() => all.filter(({ source }) => !hidden.includes(source)), [all, hidden])
  return {
    columns,
    isDense,
    setDense,
    isShown: (source: string) => !hidden.includes(source),
    showColumn: (source: string, shown: boolean) =>
      setHidden(shown ? hidden.filter((other) => other !== source) : [...hidden, source]),
  }
}

/** Rows per page, for lists whose address does not say. */
export const usePageSize = () => useStore('table.pageSize', 10)
