import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { startLive } from '../../../src/live/store.ts'
import { BaselineTable } from './BaselineTable.tsx'
import './baseline.css'
import { type BaselineServer, groupNames } from './rows.ts'

/**
 * The baseline under the bench's metrics: the table of the server list as a plain page, and one of the groups, with React
 * and the live metrics of the console, but without react-admin, MUI, forms, languages and roles. What the console takes
 * beyond this is the price of all those.
 */
const read = (path: string) => fetch(`/api/v1/${path}`).then(async (reply) => JSON.parse(await reply.text()).data)

interface BaselineGroup {
  group: { id: number; name: string }
  servers: number[]
}

const screens = [
  ['/dashboard', 'Servers'],
  ['/dashboard/server-group', 'Server groups'],
] as const

const [servers, groups] = await Promise.all([
  read('server') as Promise<BaselineServer[]>,
  read('server-group') as Promise<BaselineGroup[]>,
])
startLive()

function Baseline() {
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
      {screen === '/dashboard' ? <BaselineTable servers={servers} groups={groupNames(groups)} /> : <Groups />}
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

createRoot(document.getElementById('root') as HTMLElement).render(<Baseline />)
