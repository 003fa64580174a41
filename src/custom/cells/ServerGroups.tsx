import { styled } from '@mui/material/styles'
import { useGetList, useTranslate } from 'react-admin'
import { useServerRow } from './figures.ts'

/** So many names are shown before '+ N more'. */
const shown = 3

/** The names of the groups that a server is in. */
export function ServerGroups() {
  const record = useServerRow()
  const translate = useTranslate()
  const { data } = useGetList<Group>('server-group', everyGroup)
  const names = (record && data && namesByServer(data).get(Number(record.id))) ?? []
  if (!names.length) return null
  const more = names.length - shown
  return (
    <Frame title={names.join(', ')}>
      <span>{names.slice(0, shown).join(', ')}</span>
      {more > 0 && <small>{translate('app.list.more', { count: more })}</small>}
    </Frame>
  )
}

/** Sorts by the names shown; needs `related: ['server-group']`. */
export function serverGroupsSortValue(row: { id: unknown }, related: (entity: string) => readonly object[]): string[] {
  return namesByServer(related('server-group') as readonly Group[]).get(Number(row.id)) ?? []
}

interface Group {
  id: number
  name: string
  servers?: number[] | null
}

const everyGroup = { pagination: { page: 1, perPage: 10_000 }, sort: { field: 'name', order: 'ASC' as const } }

const indexes = new WeakMap<readonly Group[], Map<number, string[]>>()

/** Turned round once per answer of the server, not once per row. */
function namesByServer(groups: readonly Group[]): Map<number, string[]> {
  let names = indexes.get(groups)
  if (!names) {
    names = new Map()
    for (const { name, servers } of groups) {
      for (const id of servers ?? []) names.set(id, [...(names.get(id) ?? []), name])
    }
    indexes.set(groups, names)
  }
  return names
}

/** Two lines at most, in rows that keep their height; how many more there are is never cut off. */
const Frame = styled('span')(({ theme }) => ({
  display: 'flex',
  alignItems: 'baseline',
  gap: 6,
  minWidth: '12ch',
  maxWidth: '40ch',
  lineHeight: 1.3,
  '& > span': { display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: 2, overflow: 'hidden' },
  '& > small': { flex: 'none', fontSize: '0.75rem', color: theme.vars.palette.text.secondary },
}))
