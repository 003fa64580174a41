import { type Budget, budgets, type Figure } from './budgets.ts'
import type { ListPage } from './pages.ts'

type Source = ListPage['name']

/** Takes figures in, prints them beside the floor's and their limits, and says whether all limits were kept. */
export interface Report {
  /** Several takes of one figure: their median counts. Figures of the floor have no limit. */
  add(figure: Figure, takes: number | readonly number[], source?: Source): void
  /** Prints the table. @returns how many limits were passed, or could not be checked for want of a figure */
  print(): number
}

export function createReport(): Report {
  const kept = new Map<string, number>()
  const measured = (figure: Figure, source: Source) => kept.get(`${source} ${figure}`)

  function line(figure: Figure): { cells: string[]; failure?: string } {
    const { text, unit, limit, reason }: Budget = budgets[figure]
    const value = measured(figure, 'console')
    const floor = measured(figure, 'floor')
    const show = (shown: number | undefined) => (shown === undefined ? '' : `${rounded(shown)} ${unit}`.trim())
    const isKept = limit === undefined || (value !== undefined && value <= limit)
    const cells = [text, show(value), show(floor), show(limit), limit === undefined ? '' : isKept ? 'ok' : 'MISSED']
    return isKept
      ? { cells }
      : { cells, failure: `${text}: ${show(value) || 'not measured'}, limit ${show(limit)}; ${reason}.` }
  }

  return {
    add(figure, takes, source = 'console') {
      kept.set(`${source} ${figure}`, median([takes].flat()))
    },
    print() {
      const lines = (Object.keys(budgets) as Figure[]).map(line)
      printTable([['', 'console', 'floor', 'limit', ''], ...lines.map(({ cells }) => cells)])
      const failures = lines.flatMap(({ failure }) => failure ?? [])
      for (const failure of failures) console.error(failure)
      return failures.length
    },
  }
}

/** The middle one; of an even number the higher one of the two. */
export function median(takes: readonly number[]): number {
  if (takes.length === 0) throw new Error('A figure needs at least one take.')
  return takes.toSorted((a, b) => a - b)[Math.floor(takes.length / 2)] as number
}

const rounded = (value: number) => (Math.abs(value) < 10 ? Number(value.toFixed(2)) : Math.round(value))

function printTable(rows: readonly string[][]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    )
    console.log(cells.join('  ').trimEnd())
  }
}
