import type { Column } from '../../define/column.ts'
import { useColumnWidths } from '../state/useTableChoices.ts'

/**
 * The widths that a person gave to columns, as styles of their cells: rows are not drawn anew while an edge is dragged.
 * @param first the number of cells before the first column
 */
export function ColumnWidths({ table, columns, first }: { table: string; columns: readonly Column[]; first: number }) {
  const { widths } = useColumnWidths()
  const rules = columns.flatMap(({ source }, index) => {
    const width = widths[source]
    if (width === undefined) return []
    const cells = `#${CSS.escape(table)} > * > tr > :nth-child(${index + first + 1}):not([colspan])`
    return [`${cells} { width: ${width}px; min-width: ${width}px; max-width: ${width}px; }`]
  })
  return rules.length > 0 ? <style>{rules.join('\n')}</style> : null
}
