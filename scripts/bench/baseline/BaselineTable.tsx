import { useCallback, useMemo, useState } from 'react'
import { BaselineRow } from './BaselineRow.tsx'
import { type BaselineServer, columns, type GroupNames, matching, sorted } from './rows.ts'

const pageSize = Number(new URLSearchParams(location.search).get('pageSize') ?? 10)

/**
 * The list with a search, headings that sort, and checkboxes; marked up as the console's, so that one bench fits both.
 */
export function BaselineTable({ servers, groups }: { servers: readonly BaselineServer[]; groups: GroupNames }) {
  const [searched, setSearched] = useState('')
  const [sort, setSort] = useState({ column: 0, direction: 1 })
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const found = useMemo(
    () => sorted(matching(servers, groups, searched), groups, sort.column, sort.direction),
    [servers, groups, searched, sort],
  )
  const page = found.slice(0, pageSize)
  const toggle = useCallback((id: number) => {
    setSelected((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }, [])
  const isWhole = page.length > 0 && page.every(({ id }) => selected.has(id))
  const select = (chosen: readonly BaselineServer[]) => setSelected(new Set(chosen.map(({ id }) => id)))
  return (
    <>
      <h1>
        Servers <small>{found.length}</small>
      </h1>
      <input data-search value={searched} onChange={({ target }) => setSearched(target.value)} />
      <div role="status">{selected.size > 0 ? `${selected.size} selected` : ''}</div>
      {isWhole && selected.size < found.length ? (
        <button type="button" onClick={() => select(found)}>
          Select all {found.length.toLocaleString('en-US')} matching
        </button>
      ) : null}
      {selected.size > 0 ? (
        <button type="button" onClick={() => select([])}>
          Clear selection
        </button>
      ) : null}
      <table aria-label="Servers">
        <thead>
          <tr>
            <th>
              <input type="checkbox" checked={isWhole} onChange={() => select(isWhole ? [] : page)} />
            </th>
            {columns.map(([heading], column) => (
              <th key={heading}>
                <button
                  type="button"
                  onClick={() =>
                    setSort((before) => ({ column, direction: before.column === column ? -before.direction : 1 }))
                  }
                >
                  {heading}
                </button>
              </th>
            ))}
            <th>Actions</th>
          </tr>
        </thead>
        <tbody>
          {page.map((server) => (
            <BaselineRow
              key={server.id}
              server={server}
              groups={groups.get(server.id)}
              isSelected={selected.has(server.id)}
              onToggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </>
  )
}
