import { describe, expect, it } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { groupState } from '../../../server/services/checks/probeResult.ts'
import { createServiceStatus, unknownStatus } from '../../../server/services/serviceStatus.ts'
import { service } from '../../../src/schemas/service.ts'
import { checkFixture } from '../../support/server/fixtures/checkFixture.ts'
import { serviceFixture } from '../../support/server/fixtures/serviceFixture.ts'

describe('a service that is paused', () => {
  async function downService() {
    const fixture = await serviceFixture()
    const id = fixture.add({ notify: true, notification_group_id: 1 })
    const [host] = fixture.hosts
    if (!host) throw new Error('a machine')
    host.reply = async () => ({ outcome: 'down', problem: 'gone' })
    await fixture.pass(70)
    expect(fixture.services.checker.statusOf(id)).toBe('down')
    const table = entityTable(fixture.store, service)
    const pause = (paused: boolean) => table.update(id, { paused })
    return { ...fixture, id, host, pause }
  }

  it('is not checked, has no state, and ends its outage without a word', async () => {
    const { services, notifications, id, host, pass, pause } = await downService()
    pause(true)
    await pass(5)
    const asked = host.asked.length
    await pass(120)
    expect(host.asked).toHaveLength(asked)
    expect(services.checker.statusOf(id)).toBeUndefined()
    expect(services.checker.lastingOutages()).toEqual([])
    expect(notifications).toHaveLength(1)
  })

  it('begins anew when it goes on', async () => {
    const { services, notifications, id, pass, pause } = await downService()
    pause(true)
    await pass(60)
    pause(false)
    await pass(60)
    expect(services.checker.statusOf(id)).toBe('down')
    expect(services.checker.outagesOf(id).map(({ ended_at }) => ended_at === null)).toEqual([true, false])
    expect(notifications).toHaveLength(2)
  })

  it('is left out of groups', () => {
    const states = { 1: 'up', 2: 'paused', 3: 'down', 4: undefined } as const
    const of = (services: (keyof typeof states)[], needs: 'all' | 'any' | number) =>
      groupState({ services, needs }, (id) => states[id as keyof typeof states])?.state
    expect(of([1, 2], 'all')).toBe('up')
    expect(of([2, 3], 'any')).toBe('down')
    expect(of([1, 2], 2)).toBe('up')
    expect(of([2], 'all')).toBeUndefined()
    expect(of([1, 2, 4], 'all')).toBeUndefined()
  })

  it('says so in the list, to visitors, and in its badge, and stays so when a client leaves it out', async () => {
    const { browser, server } = await checkFixture()
    const form = { name: 'shop', type: 3, target: '127.0.0.1:1', duration: 30 }
    const { body } = await browser.call('POST', 'service', { body: { ...form, paused: true } })
    const { data: id } = body as { data: number }
    await browser.call('PATCH', `service/${id}`, { body: { ...form, name: 'renamed' } })
    expect((await browser.get('service')).body).toMatchObject({ data: { services: { [id]: { state: 'paused' } } } })
    const page = await server.browser().get('wheelhouse/status')
    expect(page.text).toContain('"state":"paused"')
    const badge = await server.browser().call('GET', `/badge/service/${id}.svg`)
    expect(badge.text).toContain('Paused')
  })
})

describe('the bounds of the latency', () => {
  it('hold for the 95th percentile of as many checks as are wanted', () => {
    const status = createServiceStatus(unknownStatus())
    const bounds = { min: 0, max: 100, latencyChecks: 20 }
    const slowOf = (delays: readonly number[]) =>
      delays
        .flatMap((delay, index) => status.addResult(1, { outcome: 'up', delay }, bounds, index))
        .flatMap((change) => (change.kind === 'slow' ? [[change.latency, change.delay]] : []))
    // One of twenty is no reason, wherever it comes; two are.
    expect(slowOf([...Array(18).fill(10), 500, 10, 10])).toEqual([])
    expect(slowOf([400])).toEqual([['above', 400]])
    expect(status.isDegraded()).toBe(true)
    expect(slowOf(Array(18).fill(10))).toEqual([['within', 10]])
  })
})
