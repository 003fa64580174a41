import { createRoot } from 'react-dom/client'
import { startLive } from '../../../src/live/store.ts'
import { BaselineTable } from './BaselineTable.tsx'
import './baseline.css'
import { type BaselineServer, groupNames } from './rows.ts'

/**
 * The baseline under the bench's metrics: the table of the server list as a plain page, with React and the live metrics of
 * the console, but without react-admin, MUI, routes, forms, languages and roles. What the console takes beyond this is
 * the price of all those.
 */
const read = (path: string) => fetch(`/api/v1/${path}`).then(async (reply) => JSON.parse(await reply.text()).data)

const [servers, groups] = await Promise.all([read('server') as Promise<BaselineServer[]>, read('server-group')])
startLive()
const root = document.getElementById('root') as HTMLElement
createRoot(root).render(<BaselineTable servers={servers} groups={groupNames(groups)} />)
