/** What a selector reads: tables in memory. */
interface Source {
  all(): readonly object[]
}

type RowsOf<Sources extends readonly Source[]> = { [Index in keyof Sources]: ReturnType<Sources[Index]['all']> }

/**
 * What is computed of the rows of tables, and computed again only when one of them was written: as a selector of Redux.
 *
 * @example
 * const idByUuid = createSelector([servers], (rows) => new Map(rows.map(({ uuid, id }) => [uuid, id])))
 */
export function createSelector<Sources extends readonly Source[], Result>(
  sources: readonly [...Sources],
  compute: (...rows: RowsOf<Sources>) => Result,
): () => Result {
  let latest: { rows: RowsOf<Sources>; result: Result } | undefined
  /** Asked with each report and result of thousands of machines, so it makes nothing. */
  function isCurrent(rows: RowsOf<Sources>): boolean {
    for (let index = 0; index < sources.length; index++) if (sources[index]?.all() !== rows[index]) return false
    return true
  }
  return () => {
    if (latest && isCurrent(latest.rows)) return latest.result
    const rows = sources.map((source) => source.all()) as RowsOf<Sources>
    latest = { rows, result: compute(...rows) }
    return latest.result
  }
}

/** An object that is another one after one of the tables was written. */
export const createSnapshot = (sources: readonly Source[]): (() => object) => createSelector(sources, () => ({}))
