import type { ListMeta } from '../../../records/queryPlan.ts'
import type { Snapshot } from '../../../records/queryRows.ts'
import type { Filter, Resource } from './defineResource.ts'

/** What the data provider has to know of a definition to sort, search and filter by it. */
export function metaOf({ columns, filters, snapshot }: Resource): ListMeta {
  const own = filters.filter((filter): filter is Filter => typeof filter !== 'string')
  return {
    columns: Object.fromEntries(
      columns.map(({ source, sortValue, text, related }) => [source, { sortValue, text, related }]),
    ),
    matches: Object.fromEntries(own.map(({ source, matches }) => [source, matches])),
    snapshot: snapshot && keptByKey(snapshot),
  }
}

/** Pages of one sorted list are cut from the same moment: figures that went on moving would shuffle them. */
function keptByKey(take: () => Promise<Snapshot>): (key: string) => Promise<Snapshot> {
  let kept: { key: string; moment: Promise<Snapshot> } | undefined
  return (key) => {
    if (kept?.key !== key) kept = { key, moment: take() }
    return kept.moment
  }
}
