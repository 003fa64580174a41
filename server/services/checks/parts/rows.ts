/** What is read of the rows that a query gives: rows, and bytes of a value. */
export const rowLimits = { rows: 20, value: 2000 } as const

/** Rows as text, one on each line. */
export const rowsText = (rows: readonly (readonly (string | null)[])[]): string =>
  rows.map((row) => row.map((value) => value ?? 'NULL').join('\t')).join('\n')
