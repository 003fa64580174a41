import { useMemo } from 'react'
import { type SortPayload, useStore } from 'react-admin'
import type { Column } from '../../define/column.ts'
import type { Resource } from '../../define/defineResource.ts'
import { useScreen } from '../../define/screen.ts'

const nothing = {}

/** A person's choices about a list, saved in this browser: columns and row height. */
export function useTableChoices() {
  const { columns: all, entity } = useScreen()
  const [choices, setChoices] = useStore<Readonly<Record<string, boolean>>>(`table.${entity.name}.columns`, nothing)
  // What people chose when every column was shown at first: the hidden ones. It is read and never written.
  const [hiddenBefore] = useStore<readonly string[] | undefined>(`table.${entity.name}.hidden`)
  // The same array while the choice is the same: rows are drawn anew when their columns change.
  const columns: readonly Column[] = useMemo(
    () => all.filter((column) => isShown(column, choices, hiddenBefore)),
    [all, choices, hiddenBefore],
  )
  const [isDense, setDense] = useStore('table.dense', false)
  return {
    columns,
    isDense,
    setDense,
    showColumn: (source: string, shown: boolean) => setChoices({ ...choices, [source]: shown }),
  }
}

function isShown(
  { source, hidden }: Column,
  choices: Readonly<Record<string, boolean>>,
  hiddenBefore: readonly string[] | undefined,
): boolean {
  const chosen = choices[source]
  if (chosen !== undefined) return chosen
  return hiddenBefore ? hidden !== 'always' && !hiddenBefore.includes(source) : !hidden
}

/** The narrowest and the widest that a column can be made, in pixels. */
export const columnWidths = { min: 48, max: 800 } as const

/** The widths that a person gave to columns of a list, by source, in pixels; others are as wide as what they show. */
export function useColumnWidths() {
  const { entity } = useScreen()
  const [widths, setWidths] = useStore<Readonly<Record<string, number>>>(`table.${entity.name}.widths`, nothing)
  return {
    widths,
    /** @param width `undefined` makes it as wide as what it shows */
    setWidth: (source: string, width: number | undefined) => {
      const { [source]: _, ...others } = widths
      const { min, max } = columnWidths
      setWidths(width === undefined ? others : { ...others, [source]: Math.min(max, Math.max(min, Math.round(width))) })
    },
  }
}

/** Rows per page that this person chose, for lists whose address does not say; without a choice as many as fill the window. */
export const usePageSize = () => useStore<number | undefined>('table.pageSize')

/**
 * The order in which a list stands when its address does not say: what this person chose last, and the definition's
 * before the first choice.
 */
export const useChosenSort = ({ entity, sort }: Pick<Resource, 'entity' | 'sort'>) =>
  useStore<SortPayload>(`table.${entity.name}.sort`, sort)
