import { memo, useMemo, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { formatBytes, formatPercent, formatSpeeds } from '../../../src/components/format/format.ts'
import { startLive, useLive } from '../../../src/live/store.ts'
import { columns, found, type LeastServer } from './rows.ts'

/**
 * What the console is compared with: the tables of servers and groups as a plain page, with React and the live metrics of
 * the console, but without react-admin, MUI, forms, languages and roles. What the console takes beyond this is the price
 * of all those. It is marked up as the console, so that one bench fits both.
 */
const read = (path: string) => fetch(`/api/v1/${path}`).then(async (reply) => JSON.parse(await reply.text()).data)

interface Group {
  group: { id: number; name: string }
  servers: number[]
}

const [servers, groups]: [LeastServer[], Group[]] = await Promise.all([read('server'), read('server-group')])
const byId = new Map(servers.map((server) => [server.id, server]))
for (const server of servers) server.groups = ''
for (const { group, servers: members } of groups) {
  for (const id of members) {
    const server = byId.get(id)
    if (server) server.groups = server.groups ? `${server.groups}, ${group.name}` : group.name
  }
}
startLive()

const locale = 'en-US'
const pageSize = Number(new URLSearchParams(location.search).get('pageSize') ?? 10)
const screens = [
  ['/dashboard', 'Servers'],
  ['/dashboard/server-group', 'Server groups'],
] as const

function Page() {
  const [screen, setScreen] = useState<string>('/dashboard')
  return (
    <>
      <nav>
        {screens.map(([path, name]) => (
          <a
            key={path}
            href={path}
            onClick={(event) => {
              event.preventDefault()
              setScreen(path)
            }}
          >
            {name}
          </a>
        ))}
      </nav>
      {screen === '/dashboard' ? <Servers /> : <Groups />}
    </>
  )
}

function Groups() {
  return (
    <table aria-label="Server groups">
      <tbody>
        {groups.slice(0, 10).map(({ group, servers: members }) => (
          <tr key={group.id} aria-selected={false}>
            <td>{group.name}</td>
            <td>{members.length}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Servers() {
  const [searched, setSearched] = useState('')
  const [sort, setSort] = useState({ column: 0, direction: 1 })
  const rows = useMemo(() => found(servers, searched, sort.column, sort.direction), [searched, sort])
  const sortBy = (column: number) =>
    setSort((before) => ({ column, direction: before.column === column ? -before.direction : 1 }))
  return (
    <>
      <h1>
        Servers <small>{rows.length}</small>
      </h1>
      <input data-search value={searched} onChange={({ target }) => setSearched(target.value)} />
      <table aria-label="Servers">
        <thead>
          <tr>
            <th />
            {columns.map(([heading], column) => (
              <th key={heading}>
                <button type="button" onClick={() => sortBy(column)}>
                  {heading}
                </button>
              </th>
            ))}
            <th>Actions</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, pageSize).map((server) => (
            <Server key={server.id} server={server} />
          ))}
        </tbody>
      </table>
    </>
  )
}

/** Its live cells render by themselves, as the console's do. */
const Server = memo(function Server({ server }: { server: LeastServer }) {
  const { id, name, display_index, host, geoip, groups: ofServer } = server
  return (
    <tr aria-selected={false}>
      <td>
        <input type="checkbox" />
      </td>
      <td>
        {id} {display_index ? `(${display_index})` : null}
      </td>
      <td>
        <a href={`/dashboard/server/${id}`}>{name}</a>
        <div>
          {host.platform} {host.platform_version}
        </div>
      </td>
      <td>
        <Presence id={id} />
      </td>
      <td>
        <Level id={id} used="cpu" of={100} />
      </td>
      <td title={formatBytes(host.mem_total ?? 0, locale)}>
        <Level id={id} used="mem_used" of={host.mem_total} />
      </td>
      <td title={formatBytes(host.disk_total ?? 0, locale)}>
        <Level id={id} used="disk_used" of={host.disk_total} />
      </td>
      <td>
        <Speeds id={id} />
      </td>
      <td>{ofServer}</td>
      <td>{geoip?.ip?.ipv4_addr}</td>
      <td>{host.version}</td>
      <td>
        <Presence id={id} />
      </td>
      <td>
        <a href={`/dashboard/server/${id}`}>Edit</a> <button type="button">More</button>
      </td>
    </tr>
  )
})

function Presence({ id }: { id: number }) {
  return useLive(id, (live) => live?.online) ? 'Online' : 'Offline'
}

function Level({ id, used, of = 0 }: { id: number; used: 'cpu' | 'mem_used' | 'disk_used'; of?: number }) {
  const percent = useLive(id, (live) =>
    of && live?.state ? Math.round((100 * (live.state[used] ?? 0)) / of) : undefined,
  )
  if (percent === undefined) return '–'
  return (
    <span className="meter">
      <span className="track">
        <span style={{ width: `${percent}%` }} />
      </span>
      <span>{formatPercent(percent, locale)}</span>
    </span>
  )
}

function Speeds({ id }: { id: number }) {
  const text = useLive(id, (live) =>
    live?.state ? formatSpeeds([live.state.net_out_speed ?? 0, live.state.net_in_speed ?? 0], locale).join('\n') : '–',
  )
  return <span className="speeds">{text}</span>
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />)
