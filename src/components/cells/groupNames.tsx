import { type RaRecord, useRecordContext, useTranslate } from 'react-admin'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import { MoreNames } from '../../engine/parts/MoreNames.tsx'
import { useSharedList } from '../../engine/parts/useSharedList.ts'
import type { Related, RowContext } from '../../records/queryRows.ts'
import type { EntityName } from '../../schemas/index.ts'
import '../theme/cells.css'

/** This many names are shown before '+ N more', which opens the list of all. */
const maxNames = 3

/**
 * A column with the names of a record's groups, found in the groups' member lists, and a filter by a group.
 * @param entity the groups' entity, such as `server-group`
 * @param members the groups' field with member ids, such as `servers`
 */
export function groupNames(entity: EntityName, members: string) {
  const groupsOf = byMember(members)

  function Cell() {
    const record = useRecordContext()
    const all = useSharedList(entity, everyGroup)
    const groups = (record && all && groupsOf(all).get(Number(record.id))) ?? []
    if (!groups.length) return null
    const shown = groups
      .slice(0, maxNames)
      .map(({ name }) => name)
      .join(', ')
    return (
      <span className="cell-groups">
        <span title={shown}>{shown}</span>
        {groups.length > maxNames && <MoreGroups groups={groups} />}
      </span>
    )
  }

  function MoreGroups({ groups }: { groups: readonly RaRecord[] }) {
    const translate = useTranslate()
    const addressOf = useRecordAddress(entity)
    const listed = () => groups.map((group) => ({ id: group.id, name: group.name, to: addressOf(group) }))
    const label = translate(`resources.${entity}.name`, { smart_count: 2 })
    return <MoreNames label={label} names={listed} count={groups.length - maxNames} />
  }

  /** The names shown. */
  const names = (row: { id: unknown }, related: Related): string[] =>
    (groupsOf(related(entity) as readonly RaRecord[]).get(Number(row.id)) ?? []).map(({ name }) => name)

  /** Whether a group has the record as a member. */
  const matches = (row: { id: unknown }, group: string, { related }: RowContext): boolean => {
    const found = (related(entity) as readonly RaRecord[]).find(({ id }) => String(id) === group)
    return found !== undefined && membersOf(found, members).has(Number(row.id))
  }

  return {
    column: {
      Cell,
      sort: (row: { id: unknown }, { related }: RowContext) => names(row, related),
      text: (row: { id: unknown }, { related }: RowContext) => names(row, related).join(', '),
      needs: [entity],
    },
    matches,
  }
}

export const notifierGroups = groupNames('notification-group', 'notifications')

const everyGroup = { pagination: { page: 1, perPage: 10_000 }, sort: { field: 'name', order: 'ASC' as const } }

const memberSets = new WeakMap<RaRecord, ReadonlySet<number>>()

/** The ids of a group's members, as a set that is built once. */
function membersOf(group: RaRecord, members: string): ReadonlySet<number> {
  const ids = memberSets.get(group) ?? new Set<number>(group[members] ?? [])
  memberSets.set(group, ids)
  return ids
}

/** Groups by member id; computed once per reply of the server, not once per row. */
function byMember(members: string) {
  const indexes = new WeakMap<readonly RaRecord[], Map<number, RaRecord[]>>()
  return (groups: readonly RaRecord[]): Map<number, RaRecord[]> => {
    const cached = indexes.get(groups)
    if (cached) return cached
    const found = new Map<number, RaRecord[]>()
    for (const group of groups) {
      for (const id of (group[members] as number[] | null | undefined) ?? []) {
        found.set(id, [...(found.get(id) ?? []), group])
      }
    }
    indexes.set(groups, found)
    return found
  }
}
