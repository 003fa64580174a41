/** One metric of a bench: what it is called, and what it may be. */
export interface Budget {
  text: string
  unit: 'kB' | 'ms' | 'MiB' | 'MiB/s' | 'times' | ''
  /** What it may be at most. Without this and `least` it is printed only, for it says more about the machine. */
  limit?: number
  /** What it has to be at least. */
  least?: number
  /** Why the limit is where it is. */
  reason?: string
}

/** Collects metrics, prints them beside those of a reference, and checks them against their limits. */
export interface Report<Metric extends string, Source extends string> {
  /** Several samples of one metric: their median counts. Only metrics of the first source have limits. */
  add(metric: Metric, samples: number | readonly number[], source?: Source): void
  /** Prints the table. @returns how many limits were passed, or could not be checked because a metric is missing */
  print(): number
}

/**
 * @param budgets all metrics, in the order they are printed
 * @param sources what is measured, and after it what it is compared with
 */
export function createReport<Metric extends string, Source extends string>(
  budgets: Record<Metric, Budget>,
  sources: readonly [Source, ...Source[]],
): Report<Metric, Source> {
  const [first] = sources
  const values = new Map<string, number>()
  const measured = (metric: Metric, source: Source) => values.get(`${source} ${metric}`)

  function line(metric: Metric): { cells: string[]; failure?: string } {
    const { text, unit, limit, least, reason } = budgets[metric]
    const value = measured(metric, first)
    const show = (shown: number | undefined) => (shown === undefined ? '' : `${rounded(shown)} ${unit}`.trim())
    const isFree = limit === undefined && least === undefined
    const isMet = isFree || (value !== undefined && value <= (limit ?? Infinity) && value >= (least ?? -Infinity))
    const bound = least === undefined ? show(limit) : `≥ ${show(least)}`
    const cells = [text, ...sources.map((source) => show(measured(metric, source))), bound]
    cells.push(isFree ? '' : isMet ? 'ok' : 'MISSED')
    return isMet
      ? { cells }
      : { cells, failure: `${text}: ${show(value) || 'not measured'}, limit ${bound}; ${reason}.` }
  }

  return {
    add(metric, samples, source = first) {
      values.set(`${source} ${metric}`, median([samples].flat()))
    },
    print() {
      const lines = (Object.keys(budgets) as Metric[]).map(line)
      printTable([['', ...sources, 'limit', ''], ...lines.map(({ cells }) => cells)])
      const failures = lines.flatMap(({ failure }) => failure ?? [])
      for (const failure of failures) console.error(failure)
      return failures.length
    },
  }
}

/** The middle one; of an even number the higher one of the two. */
export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

/** The sample below which this share of the others is. @param share from 0 to 1 */
export function quantile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new Error('A metric needs at least one sample.')
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(samples.length * share))] as number
}

/** Each sample by the one beside it: on a machine that does other work too, only neighbours can be compared. */
export const ratios = (samples: readonly number[], others: readonly number[]): number[] =>
  samples.map((take, index) => take / (others[index] ?? Number.NaN))

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
