import { describe, expect, it } from 'vitest'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { dataApp } from '../../support/console/dataApp.ts'
import { createTestHost } from '../../support/server/testHost.ts'

type Row = Record<string, unknown> & { id: number }

async function withMachine(options?: Parameters<typeof createTestHost>[0]) {
  const clock = { now: Date.now() }
  const data = await dataApp({ now: () => clock.now })
  const host = createTestHost(options)
  data.machines.add(host)
  const list = async () => ((await data.call('GET', 'server')).body as { data?: Row[] }).data ?? []
  const report = (values: Parameters<typeof host.report>[0] = {}) => host.report({ at: new Date(clock.now), ...values })
  return { ...data, clock, list, report }
}

const offline = '0001-01-01T00:00:00Z'

describe('a machine', () => {
  it('gets a row of its own name with its first report, which belongs to nobody', async () => {
    const { list, report } = await withMachine({ name: 'web-1' })
    expect(await list()).toEqual([])
    report()
    report()
    expect(await list()).toMatchObject([{ id: 1, name: 'web-1', uuid: 'machine-1', owner: { id: 0 } }])
  })

  it('says to its owner whether this server runs on it', async () => {
    const { list, machines } = await withMachine()
    expect(createLocalHost({ uuid: 'own', version: '1.2.3' }).runsServer).toBe(true)
    const host = { ...createTestHost({ uuid: 'own' }), runsServer: true as const }
    machines.add(host)
    host.report()
    expect(await list()).toMatchObject([{ uuid: 'own', runs_server: true }])
    const other = createTestHost({ uuid: 'other' })
    machines.add(other)
    other.report()
    expect((await list())[1]).not.toHaveProperty('runs_server')
  })

  it('without a name gets one of two words', async () => {
    const { list, report } = await withMachine({ name: '' })
    report()
    expect((await list())[0]?.name).toMatch(/^[a-z]+-[a-z]+$/)
  })

  it('shows its last report, without empty values', async () => {
    const { list, report } = await withMachine()
    report({ host: { arch: 'x86_64', cpu: ['One'] }, state: { cpu: 1 }, ip: { ipv4_addr: '10.0.0.1' } })
    report({ host: { arch: 'x86_64' }, state: { uptime: 5, temperatures: [{ Name: 'core', Temperature: 0 }] } })
    const [{ host, state, geoip } = {} as Row] = await list()
    expect({ host, state, geoip }).toEqual({
      host: { arch: 'x86_64' },
      state: { uptime: 5, temperatures: [{ Name: 'core', Temperature: 0 }] },
      geoip: { ip: {} },
    })
  })

  it('is offline after six seconds without a report, and keeps its metrics', async () => {
    const { list, report, clock } = await withMachine()
    report({ state: { cpu: 12 } })
    clock.now += 6000
    expect((await list())[0]?.last_active).not.toBe(offline)
    clock.now += 1
    expect(await list()).toMatchObject([{ last_active: offline, state: { cpu: 12 } }])
    report()
    expect((await list())[0]?.last_active).not.toBe(offline)
  })

  it('is offline at once when its reports are ended', async () => {
    const { list, report, machines } = await withMachine()
    report()
    await machines.stop()
    report()
    expect((await list())[0]?.last_active).toBe(offline)
  })

  it('keeps the name that an operator gave it', async () => {
    const { call, list, report } = await withMachine()
    report()
    await call('PATCH', 'server/1', { name: 'renamed' })
    report()
    expect((await list())[0]?.name).toBe('renamed')
  })

  it('comes back as a new server with its next report after its row was deleted', async () => {
    const { call, list, report } = await withMachine({ name: 'web-1' })
    report({ state: { cpu: 12 } })
    await call('PATCH', 'server/1', { name: 'renamed', note: 'private' })
    await call('POST', 'batch-delete/server', [1])
    expect(await list()).toEqual([])
    report({ state: { cpu: 13 } })
    const [row, ...others] = await list()
    expect(others).toEqual([])
    expect(row).toMatchObject({ id: 2, name: 'web-1', uuid: 'machine-1', state: { cpu: 13 } })
    expect(row).not.toHaveProperty('note')
  })
})
