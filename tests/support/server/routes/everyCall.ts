import { entities } from '../../../../src/schemas/index.ts'
import { enter } from '../fixtures/openSession.ts'
import { type TestServer, testServer } from '../testServer.ts'
import type { DescribedRoute } from './describedRoutes.ts'
import { addMachine, creatable, createRecord, validForm } from './validForm.ts'

/** Bodies that name the administrator's record 1; new records name the member's machine 2. Else an empty form. */
export function bodyFor({ method, name, body }: DescribedRoute): unknown {
  if (method === 'GET') return undefined
  if (body?.type === 'array' && (body.items as { type?: string }).type === 'integer') return [1]
  if (name === 'POST batch-delete/waf' || name === 'POST online-user/batch-block') return ['198.51.100.1']
  if (name === 'POST server/config') return { servers: [1], config: '{}' }
  if (name === 'POST batch-move/server') return { ids: [1], to_user: 1 }
  if (name === 'POST wheelhouse/alert-rule/backtest') return { id: 1, rules: [{ type: 'cpu', max: 90, duration: 10 }] }
  if (name === 'POST wheelhouse/notification/preview') return { id: 1, event: 'test' }
  if (name === 'POST wheelhouse/checks/try') {
    return { id: 1, server_id: 1, target: '127.0.0.1:1', check: { kind: 'tls' } }
  }
  if (name.startsWith('POST wheelhouse/questions')) return { kind: 'process', text: 'none', servers: [1] }
  if (name.endsWith('/signal')) return { signal: 'TERM' }
  if (name.endsWith('/priority')) return { nice: 0 }
  if (name.includes('/containers/')) return { engine: 'docker' }
  if (name.includes('/servers/{id}/files/')) {
    const paths = { path: '/none', paths: ['/none'], to: '/nothing', items: [{ from: '/none', to: '/nothing' }] }
    return {
      ...paths,
      upload: '0'.repeat(16),
      size: 1,
      kind: 'file',
      mode: '600',
      format: name.endsWith('/archive') ? 'tar' : 'zip',
      to_server: 1,
    }
  }
  if (name === 'POST wheelhouse/import-files') return { bytes: 1 }
  if (name === 'POST wheelhouse/import-files/{file}/plan') return { kind: 'nezha' }
  if (name === 'POST wheelhouse/imports') return { file: 'none', digest: 'none' }
  if (name === 'POST wheelhouse/traffic/{id}/correct') return { used: 1 }
  if (name === 'POST wheelhouse/incidents/{id}/note') return { note: 'seen' }
  if (/^POST wheelhouse\/invitations\/(read|accept)$/.test(name)) {
    return { token: 'none', username: 'somebody', password: 'only for this test' }
  }
  if (/^PATCH wheelhouse\/(users|teams)\/\{id\}\/roles$/.test(name)) return { roles: [] }
  if (/ wheelhouse\/teams\b/.test(name)) return { name: 'any' }
  if (/ wheelhouse\/roles\b/.test(name)) return { name: 'any', rights: ['see'] }
  if (name === 'POST terminal') return { server_id: 1 }
  if (name.endsWith('/terminals/{session}/share')) return { mode: 'watch' }
  if (name.endsWith('/terminals/{session}/type')) return { text: 'true', runs: false }
  if (name.endsWith('/terminals/{session}/record')) return { is_on: true }
  const entity = ([...creatable, 'server'] as const).find((one) =>
    `${name.split(' ')[1]}/`.startsWith(`${entities[one].api.path}/`),
  )
  if (entity && method === 'PATCH') return validForm(entity)
  return entity && name === `POST ${entities[entity].api.path}` ? validForm(entity, { text: 'another', server: 2 }) : {}
}

/** What stands for each parameter of a path: record 1, and names that nothing has. */
const placeholders = {
  id: '1',
  provider: 'none',
  header: 'x-a',
  pid: '4242',
  container: 'none',
  name: 'none',
  act: 'restart',
  file: 'none',
  session: 'none',
  code: 'none',
  transfer: 'none',
  question: 'none',
}

function queryFor(name: string): string {
  if (name === 'POST file') return '?id=1'
  if (name.startsWith('GET wheelhouse/servers/{id}/containers/')) return '?engine=docker'
  return /^GET wheelhouse\/servers\/\{id\}\/(files|disks\/folders)/.test(name) ? '?path=/none' : ''
}

/** Its path, about the record 1. */
export const pathFor = ({ name, path }: DescribedRoute) =>
  Object.entries(placeholders).reduce((done, [name, value]) => done.replace(`{${name}}`, value), path) + queryFor(name)

/** Deletions come last: a deleted record has no owner. */
export const isEnd = ({ name }: DescribedRoute) => name.startsWith('POST batch-delete/')

/** A server on which the administrator owns record 1 of everything. */
export async function adminsServer(): Promise<TestServer> {
  const server = await testServer()
  addMachine(server, 1)
  const admin = await enter(server, 1)
  for (const name of creatable) await createRecord(admin, name, validForm(name))
  return server
}
