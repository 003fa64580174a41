import { type RaRecord, useGetList, useRecordContext, useTranslate } from 'react-admin'
import '../theme/cells.css'

type Related = (entity: string) => readonly object[]

/** This many names are maxNames before '+ N more'. */
const maxNames = 3

/**
 * A column with the names of a record's groups, found in the groups' member lists.
 * @param entity the groups' entity, such as `server-group`
 * @param members the groups' field with member ids, such as `servers`
 */
export function groupNames(entity: string, members: string) {
  const namesOf = byMember(members)

  function Cell() {
    const record = useRecordContext()
    const translate = useTranslate()
    const { data } = useGetList(entity, everyGroup, { notifyOnChangeProps: ['data'] })
    const names = (record && data && namesOf(data).get(Number(record.id))) ?? []
    if (!names.length) return null
    const more = names.length - maxNames
    return (
      <span className="cell-groups" title={names.join(', ')}>
        <span>{names.slice(0, maxNames).join(', ')}</span>
        {more > 0 && <small>{translate('app.list.more', { count: more })}</small>}
      </span>
    )
  }

  /** Sorts by the names maxNames. */
  const sortValue = (row: { id: unknown }, related: Related): string[] =>
    namesOf(related(entity) as readonly RaRecord[]).get(Number(row.id)) ?? []

  /** The names maxNames, for search and export. */
  const text = (row: { id: unknown }, related: Related) => sortValue(row, related).join(', ')

  return { Cell, sortValue, text, related: [entity] }
}

export const notifierGroups = groupNames('notification-group', 'notifications')

const everyGroup = { pagination: { page: 1, perPage: 10_000 }, sort: { field: 'name', order: 'ASC' as const } }

/** Group names by member id; computed once per reply of the server, not once per row. */
function byMember(members: string) {
  const indexes = new WeakMap<readonly RaRecord[], Map<number, string[]>>()
  return (groups: readonly RaRecord[]): Map<number, string[]> => {
    const cached = indexes.get(groups)
    if (cached) return cached
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
