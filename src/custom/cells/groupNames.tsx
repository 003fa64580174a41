import { type RaRecord, useGetList, useRecordContext, useTranslate } from 'react-admin'
import './cells.css'

type Related = (entity: string) => readonly object[]

/** So many names are shown before '+ N more'. */
const shown = 3

/**
 * A column that finds a record's groups in the groups' own lists of members.
 * @param entity the groups, as `server-group`
 * @param members their key for member ids, as `servers`
 */
export function groupNames(entity: string, members: string) {
  const namesOf = byMember(members)

  function Cell() {
    const record = useRecordContext()
    const translate = useTranslate()
    const { data } = useGetList(entity, everyGroup, { notifyOnChangeProps: ['data'] })
    const names = (record && data && namesOf(data).get(Number(record.id))) ?? []
    if (!names.length) return null
    const more = names.length - shown
    return (
      <span className="cell-groups" title={names.join(', ')}>
        <span>{names.slice(0, shown).join(', ')}</span>
        {more > 0 && <small>{translate('app.list.more', { count: more })}</small>}
      </span>
    )
  }

  /** Sorts by the names shown. */
  const sortValue = (row: { id: unknown }, related: Related): string[] =>
    namesOf(related(entity) as readonly RaRecord[]).get(Number(row.id)) ?? []

  /** The names shown, for search and export. */
  const text = (row: { id: unknown }, related: Related) => sortValue(row, related).join(', ')

  return { Cell, sortValue, text, related: [entity] }
}

export const notifierGroups = groupNames('notification-group', 'notifications')

const everyGroup = { pagination: { page: 1, perPage: 10_000 }, sort: { field: 'name', order: 'ASC' as const } }

/** The groups turned round: names by member. Once per answer of the server, not once per row. */
function byMember(members: string) {
  const indexes = new WeakMap<readonly RaRecord[], Map<number, string[]>>()
  return (groups: readonly RaRecord[]): Map<number, string[]> => {
    const known = indexes.get(groups)
    if (known) return known
    const names = new Map<number, string[]>()
    for (const group of groups) {
      for (const id of (group[members] as number[] | null | undefined) ?? []) {
        names.set(id, [...(names.get(id) ?? []), group.name])
      }
    }
    indexes.set(groups, names)
    return names
  }
}
