/** The pagination that asks for all rows of a whole list, which the data provider has in memory. */
export const everyRow = { page: 1, perPage: Number.MAX_SAFE_INTEGER }

/** The parameters of `useGetList` for a whole list by name: those who ask alike share one answer. */
export const everyRowByName = { pagination: everyRow, sort: { field: 'name', order: 'ASC' as const } }

type WithId = { id: number | string }

const indexes = new WeakMap<readonly WithId[], ReadonlyMap<string, WithId>>()

/** Records by id. Built once for each answer of the server: a group may have thousands of members. */
export function byId<Record extends WithId>(records: readonly Record[]): ReadonlyMap<string, Record> {
  let index = indexes.get(records)
  if (!index) {
    index = new Map(records.map((record) => [String(record.id), record]))
    indexes.set(records, index)
  }
  // The index of a list holds that list's own records.
  return index as ReadonlyMap<string, Record>
}
