import { describe, expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { openContractSetting } from '../../../server/traffic/contractNotices.ts'
import type { Change } from '../../../src/schemas/endpoints/changeEndpoints.ts'
import { contract } from '../../../src/schemas/machines/contract.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { contractSettings } from '../../../src/schemas/settings/contractSettings.ts'

import { signedIn, testServer } from '../../support/server/testServer.ts'

const day = 86_400_000

async function withSetting() {
  const server = await testServer()
  const admin = await signedIn(server)
  const call = async (method: string, path: string, body?: object) =>
    (await admin.call(method, path, { body })).body as { data?: unknown; error?: string }
  return {
    server,
    call,
    get: async <T>(path: string) => (await call('GET', path)).data as T,
    set: (setting: object) => call('PATCH', 'wheelhouse/contract-setting', setting),
  }
}

describe('Rates and messages', () => {
  it('are in the history of changes with who and when, and an earlier version can be saved again', async () => {
    const { set, get } = await withSetting()
    const first = { report: 'week', currency: 'EUR', rates: [{ currency: 'USD', rate: 0.92 }] }
    await set(first)
    await set({ ...first, rates: [{ currency: 'USD', rate: 9.2 }] })
    await set({ ...first, rates: [{ currency: 'USD', rate: 9.2 }] })
    const { value } = await get<{ value: Change[] }>(`changes?entity=${contractSettings.name}&id=1`)
    expect(value).toMatchObject([
      {
        username: 'admin',
        fields: [{ name: 'rates', from: [{ currency: 'USD', rate: 0.92 }], to: [{ currency: 'USD', rate: 9.2 }] }],
      },
      { username: 'admin', action: 'updated' },
    ])
    expect(value).toHaveLength(2)
    const [latest] = value
    await set({ ...first, rates: latest?.fields[0]?.from })
    expect(await get('wheelhouse/contract-setting')).toMatchObject(first)
  })

  it('that an earlier version has stored stay', () => {
    const store = openStore(':memory:')
    store.setValue('contract_setting', { report: 'month', currency: 'USD' })
    expect(openContractSetting(store).read()).toMatchObject({ report: 'month', currency: 'USD', rates: [] })
    expect(openContractSetting(store).id).toBe(1)
  })
})

describe('What is wrong with contracts', () => {
  it('is an incident for the escalation plan that is named, until it is over or somebody resolves it', async () => {
    const { server, set, get, call } = await withSetting()
    const { clock, app, store } = server
    const ends_at = new Date(clock.now + 3 * day).toISOString()
    const row = { name: 'web-1', uuid: 'a', user_id: 1, contract: contract.parse({ ends_at, price: 5 }) }
    const id = entityTable(store, servers).insert(row)
    await call('POST', 'notification-group', { name: 'money', notifications: [] })
    await call('POST', 'wheelhouse/escalations', {
      name: 'Night',
      steps: [{ after_min: 0, notification_group_id: 1 }],
    })
    /** As every few minutes, but at once. */
    const look = async (setting: object) => {
      clock.now += 2 * 60_000
      await get('wheelhouse/contract-troubles')
      await set(setting)
      return app.incidents.all().map(({ title, state }) => `${title}: ${state}`)
    }
    expect(await look({})).toEqual([])
    const plan = { escalation_id: 1 }
    expect(await look(plan)).toEqual(['Contract of web-1 ends: open'])
    app.incidents.tick()
    expect(app.incidents.all()[0]?.entries).toMatchObject([{ kind: 'not_escalated', name: 'money', text: 'Night' }])
    expect(await look(plan)).toHaveLength(1)
    const [incident] = app.incidents.all()
    if (incident) app.incidents.resolve(incident, 'admin', 'paid by hand')
    expect(await look(plan)).toEqual(['Contract of web-1 ends: resolved'])
    // Another end is another thing.
    const later = new Date(clock.now + 30 * day).toISOString()
    entityTable(store, servers).update(id, { contract: contract.parse({ ends_at: later, price: 5 }) })
    expect(await look(plan)).toHaveLength(1)
    clock.now += 24 * day
    const fresh = await signedIn(server)
    await fresh.call('GET', 'wheelhouse/contract-troubles')
    await fresh.call('PATCH', 'wheelhouse/contract-setting', { body: plan })
    expect(app.incidents.all().map(({ state }) => state)).toEqual(['open', 'resolved'])
    await fresh.call('PATCH', 'wheelhouse/contract-setting', { body: {} })
    expect(app.incidents.all().map(({ state }) => state)).toEqual(['resolved', 'resolved'])
    expect(app.incidents.all()[0]?.parts).toMatchObject([{ kind: 'contract', withdrawn: true, server_id: id }])
  })
})
