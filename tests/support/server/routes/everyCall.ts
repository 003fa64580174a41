import { entities } from '../../../../src/schemas/index.ts'
import { enter } from '../fixtures/openSession.ts'
import { type TestServer, testServer } from '../testServer.ts'
import type { DescribedRoute } from './describedRoutes.ts'
import { addMachine, creatable, createRecord, validForm } from './validForm.ts'

/** Bodies that name the administrator's record 1; new records name the member's machine 2. Else an empty form. */
export function bodyFor({ method, name }: DescribedRoute): unknown {
  if (method === 'GET') return undefined
  if (name.startsWith('POST batch-delete/') || name === 'POST force-update/server') {
    return /waf$/.test(name) ? ['198.51.100.1'] : [1]
  }
  if (name === 'POST online-user/batch-block') return ['198.51.100.1']
  if (name === 'POST server/config') return { servers: [1], config: '{}' }
  if (name === 'POST batch-move/server') return { ids: [1], to_user: 1 }
  if (name === 'POST wheelhouse/alert-rule/backtest') return { id: 1, rules: [{ type: 'cpu', max: 90, duration: 10 }] }
  if (name === 'POST wheelhouse/notification/preview') return { id: 1, event: 'test' }
  if (name === 'POST terminal') return { server_id: 1 }
  const entity = ([...creatable, 'server'] as const).find((one) =>
    `${name.split(' ')[1]}/`.startsWith(`${entities[one].api.path}/`),
  )
  if (entity && method === 'PATCH') return validForm(entity)
  return entity && name === `POST ${entities[entity].api.path}` ? validForm(entity, { text: 'another', server: 2 }) : {}
}

/** Its path, about the record 1. */
export const pathFor = ({ name, path }: DescribedRoute) =>
  path.replace('{id}', '1').replace('{provider}', 'none').replace('{header}', 'x-a') +
  (name === 'POST file' ? '?id=1' : '')

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
