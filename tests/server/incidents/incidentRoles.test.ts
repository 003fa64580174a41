import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { Trouble } from '../../../server/incidents/incident.ts'
import { entities } from '../../../src/schemas/index.ts'
import type { Browser } from '../../support/console/browser.ts'
import { expectLessProcessorTime } from '../../support/processorTime.ts'
import { enter } from '../../support/server/fixtures/openSession.ts'
import { addMachine, createRecord, validForm } from '../../support/server/routes/validForm.ts'
import { testServer } from '../../support/server/testServer.ts'

const [adminId, memberId] = [1, 2]
const none = { id: 1, service_id: 0, rule_id: 0, owner_id: adminId, host: '', is_gone: false, rule_name: '' }
const absent = { error: 'incident id 1 does not exist' }

/** The administrator's machine 1, which is hidden from guests, and a member who is given roles. */
async function startFixture() {
  const server = await testServer()
  // What was open is compared with what lasts at the start.
  await server.app.ready()
  addMachine(server, adminId, { name: 'web-1', uuid: 'a', hide_for_guest: true })
  const [admin, member] = [await enter(server, adminId), await enter(server, memberId)]
  const give = async (role: string, scope: object | 'all' = { groups: [], servers: [1] }) => {
    const { body } = await admin.call('PATCH', `wheelhouse/users/${memberId}/roles`, {
      body: { roles: [{ role, scope }] },
    })
    expect(body).toEqual({ success: true })
  }
  const begin = (trouble: Pick<Trouble, 'kind' | 'name'> & Partial<Trouble>) =>
    server.app.incidents.begin({ ...none, server_id: 1, started_at: server.clock.now, ...trouble })
  const titles = async (browser: Browser = member) => {
    const { body } = await browser.get('wheelhouse/incidents')
    return (body as { data: { value?: { title: string }[] } }).data.value?.map(({ title }) => title) ?? []
  }
  return { server, admin, member, give, begin, titles, machines: entityTable(server.store, entities.server) }
}

describe('the outage of a service on all servers', () => {
  async function withOutage() {
    const fixture = await startFixture()
    const form = { ...validForm('service'), name: 'shop', cover: 0, skip_servers: {}, hide_for_guest: true }
    const service_id = await createRecord(fixture.admin, 'service', form)
    fixture.begin({ kind: 'outage', name: 'shop', service_id })
    return fixture
  }

  it('is neither shown nor left to whoever has a role for the server that reported it', async () => {
    const { server, member, give, titles } = await withOutage()
    await give('operator')
    expect(await titles()).toEqual([])
    const resolved = await member.call('POST', 'wheelhouse/incidents/1/resolve', { body: { note: '' } })
    expect(resolved.body).toEqual(absent)
    expect(server.app.incidents.get(1)).toMatchObject({ state: 'open' })
    await give('operator', 'all')
    expect(await titles()).toEqual(['shop'])
  })

  it('is shown to whoever owns the server that reported it', async () => {
    const { titles, machines } = await withOutage()
    machines.update(1, { user_id: memberId })
    expect(await titles()).toEqual(['shop'])
  })
})

it('a DNS record that is wrong is shown by a role that shows the settings of DDNS, and to whoever owns the server', async () => {
  const { admin, member, give, begin, titles, machines } = await startFixture()
  const record = 'www.example.org (A)'
  begin({ kind: 'ddns', name: `DDNS ${record}`, record })
  for (const role of ['viewer', 'operator']) {
    await give(role)
    expect(await titles(), role).toEqual([])
    expect((await member.get('wheelhouse/incidents/1')).body, role).toEqual(absent)
  }
  await give('administrator')
  expect(await titles()).toEqual([`DDNS ${record}`])
  await admin.call('PATCH', `wheelhouse/users/${memberId}/roles`, { body: { roles: [] } })
  expect(await titles()).toEqual([])
  machines.update(1, { user_id: memberId })
  expect(await titles()).toEqual([`DDNS ${record}`])
})

it('a member who has no roles is answered at once, however many servers the services of others name', async () => {
  const { server, begin, titles } = await startFixture()
  const services = entityTable(server.store, entities.service)
  const skip_servers = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index + 1, true]))
  for (let copy = 0; copy < 100; copy++) {
    const name = `shop ${copy}`
    const values = { name, type: 1, target: 'https://shop.example', cover: 1, skip_servers, user_id: adminId }
    begin({ kind: 'outage', name, service_id: services.insert(values) })
  }
  expect(await titles()).toEqual([])
  await expectLessProcessorTime(500, async () => {
    for (let call = 0; call < 20; call++) await titles()
  })
})
