import type { RaRecord } from 'react-admin'

/** A part of a list with a heading: the records of one group, or those of none. */
export interface Section<Row> {
  /** Absent for the records that are in no group. */
  group?: RaRecord
  rows: readonly Row[]
}

/**
 * The rows by groups, in the order in which both come. A row of several groups stands in each of them; groups without
 * any of the rows are left out, and rows without a group come last.
 * @param members the groups' field with ids, such as `servers`
 */
export function sectionsOf<Row extends { id: number | string }>(
  rows: readonly Row[],
  groups: readonly RaRecord[],
  members: string,
): Section<Row>[] {
  const found = new Map<RaRecord, Row[]>(groups.map((group) => [group, []]))
  const groupsOf = new Map<number, RaRecord[]>()
  for (const group of groups) {
    for (const id of (group[members] ?? []) as number[]) groupsOf.set(id, [...(groupsOf.get(id) ?? []), group])
  }
  const others: Row[] = []
  for (const row of rows) {
    const own = groupsOf.get(Number(row.id))
    if (own) for (const group of own) found.get(group)?.push(row)
    else others.push(row)
  }
  const sections: Section<Row>[] = [...found].flatMap(([group, own]) => (own.length > 0 ? [{ group, rows: own }] : []))
  return others.length > 0 ? [...sections, { rows: others }] : sections
}
