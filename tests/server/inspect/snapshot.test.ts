import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createSnapshots, snapshotLimits } from '../../../server/inspect/snapshots/snapshots.ts'
import { openSnapshotTable, snapshotStoreLimits } from '../../../server/inspect/snapshots/snapshotTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import type { Person } from '../../../server/person.ts'
import { messagesOf } from '../../../server/site/messages.ts'
import { alertRule } from '../../../src/schemas/alertRule.ts'
import type { Snapshot } from '../../../src/schemas/inspect/snapshot.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { fakePrograms } from '../../support/inspect/fakePrograms.ts'
import { programWith } from '../../support/server/auth/apiToken.ts'
import { addHost, mcpPrograms, turnMcp } from '../../support/server/mcpServer.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

interface Reply {
  data?: Snapshot
  error?: string
}

/** A server with a machine whose processor is busy, and a rule about that. */
async function busyMachine() {
  const server = await testServer({ machines: createMachines })
  onTestFinished(() => server.app.close())
  const host = addHost(server)
  const programs = fakePrograms(temporaryFolder())
  const { exec } = host.operations
  host.operations.exec = (order, signal) => exec({ ...order, env: { ...order.env, PATH: programs.path } }, signal)
  const { id } = entityTable(server.store, serverEntity).all()[0] ?? { id: 0 }
  const rules = [{ type: 'cpu', max: 90, duration: 3, cover: 0 }]
  entityTable(server.store, alertRule).insert({ name: 'busy', enable: true, user_id: 1, rules })
  const admin = await signedIn(server)
  return {
    server,
    host,
    id,
    admin,
    /** The rule fires. */
    async fire() {
      for (let check = 0; check < 3; check++) {
        server.clock.now += 3000
        host.report({ at: new Date(server.clock.now), state: { cpu: 95 }, host: { platform: 'debian' } })
        await server.app.alerts.check()
      }
    },
    read: async (browser = admin) => (await browser.get('wheelhouse/alarms/1/snapshot')).body as Reply,
  }
}

describe('an alarm has a snapshot of its server', () => {
  it('with processes, disks, failed units and the journal, in its list and for programs', async () => {
    const { server, fire, read, id, admin } = await busyMachine()
    await fire()
    await expect.poll(async () => (await read()).data?.at).toBeTruthy()
    const { data } = await read()
    expect(data?.server_id).toBe(id)
    expect(data?.processes?.items.length).toBeGreaterThan(0)
    expect(data?.processes?.items.length).toBeLessThanOrEqual(20)
    expect(data?.disks?.items).toContainEqual(expect.objectContaining({ kind: 'filesystem' }))
    expect(data?.units?.items.map(({ name }) => name)).toEqual(['backup.service'])
    expect(data?.logs?.items.map(({ message }) => message)).toEqual(['started', 'disk'])
    const list = (await admin.get('wheelhouse/alarms')).body as { data: { value: object[] } }
    expect(list.data.value).toMatchObject([{ id: 1, snapshot: true }])
    turnMcp(server, true)
    const { value } = mcpPrograms(server, { scopes: ['nezha:server:read'] })
    expect(await value('alarm.snapshot', { alarm_id: 1 })).toMatchObject({ units: { items: [{ state: 'failed' }] } })
  })

  it('that only those see who may look into the server', async () => {
    const { server, fire, read, id } = await busyMachine()
    await fire()
    await expect.poll(async () => (await read()).data?.at).toBeTruthy()
    const member = await signedIn(server, 'member')
    expect(await read(member)).toEqual({ error: 'permission denied' })
    const asked = async (server_ids: number[], scopes: string[]) =>
      (await programWith(server, { scopes, server_ids }).get('wheelhouse/alarms/1/snapshot')).body
    expect(await asked([id], ['nezha:server:read'])).toMatchObject({ data: { server_id: id } })
    expect(await asked([id + 1], ['nezha:server:read'])).toEqual({ error: 'permission denied' })
    expect(await asked([id], ['nezha:alertrule:read'])).toMatchObject({
      error: expect.stringContaining('nezha:server:read'),
    })
    entityTable(server.store, serverEntity).update(id, { user_id: 2 })
    expect((await read(member)).data?.server_id).toBe(id)
  })

  it('or says why there is none', async () => {
    const { host, fire, read } = await busyMachine()
    expect((await read()).data).toEqual({ reason: expect.stringContaining('No snapshot was taken') })
    host.operations.exec = async () => ({
      exit_code: 0,
      stdout: '',
      stderr: '',
      duration_ms: 0,
      error: 'agent disabled command execution',
    })
    await fire()
    await expect.poll(async () => (await read()).data?.cause).toBe('commands_off')
    expect((await read()).data).toMatchObject({ reason: expect.stringContaining('disable_command_execute') })
  })
})

const anybody: Person = { id: 1, username: 'admin', role: 0 }

/** Snapshots of machines that answer when the test lets them. */
function manyMachines({ isQuick = true, silentAbout = '' } = {}) {
  const store = openStore(':memory:')
  const clock = { now: Date.parse('2026-11-21T12:00:00Z') }
  const now = () => clock.now
  const asked: number[] = []
  const subjects: string[] = []
  const waiting: (() => void)[] = []
  const inspector = {
    async ask(id: number, { name }: { name: string }) {
      subjects.push(name)
      if (name === 'processes' && !asked.includes(id)) asked.push(id)
      if (name === silentAbout) return { items: [], cause: 'timeout', reason: `${name} did not answer.` } as never
      if (!isQuick) await new Promise<void>((resolve) => void waiting.push(resolve))
      const message = 'x'.repeat(5000)
      return { items: name === 'logs' ? Array.from({ length: 200 }, () => ({ message })) : [] } as never
    },
    mayLook: () => true,
    renew() {},
  }
  const gone = new Set<number>()
  const table = openSnapshotTable(store, { hasServer: (id) => !gone.has(id), now })
  const errors: unknown[] = []
  const snapshots = createSnapshots({
    inspector,
    ownerOf: (id) => (id > 1000 ? 2 : 1),
    table,
    messages: messagesOf(store),
    pause: async () => {},
    log: { error: (...error) => errors.push(error) },
    now,
  })
  return { store, clock, asked, subjects, waiting, gone, table, snapshots, errors }
}

describe('snapshots', () => {
  it('are shared by the alarms of one machine within a minute', async () => {
    const { snapshots, clock, asked } = manyMachines()
    snapshots.take({ id: 1, server_id: 7 })
    snapshots.take({ id: 2, server_id: 7 })
    expect(snapshots.isPending(2)).toBe(true)
    await expect.poll(() => snapshots.has(2)).toBe(true)
    clock.now += 59_000
    snapshots.take({ id: 3, server_id: 7 })
    expect(snapshots.read(anybody, 3).at).toBe(snapshots.read(anybody, 1).at)
    clock.now += 2000
    snapshots.take({ id: 4, server_id: 7 })
    await expect.poll(() => snapshots.has(4)).toBe(true)
    expect(snapshots.read(anybody, 4).at).not.toBe(snapshots.read(anybody, 1).at)
    expect(asked).toEqual([7])
  })

  it('that are still being taken when the server ends are not kept, and the log says nothing of them', async () => {
    const { store, snapshots, asked, waiting, errors } = manyMachines({ isQuick: false })
    snapshots.take({ id: 1, server_id: 7 })
    await expect.poll(() => asked).toEqual([7])
    snapshots.stop()
    store.close()
    snapshots.take({ id: 2, server_id: 8 })
    const answer = setInterval(() => {
      for (const resolve of waiting.splice(0)) resolve()
    })
    onTestFinished(() => clearInterval(answer))
    await expect.poll(() => snapshots.isPending(1)).toBe(false)
    expect([errors, asked]).toEqual([[], [7]])
  })

  it('of hundreds of machines are taken eight at a time', async () => {
    const { snapshots, asked, waiting, errors } = manyMachines({ isQuick: false })
    for (let id = 1; id <= 300; id++) snapshots.take({ id, server_id: id })
    await expect.poll(() => asked.length).toBe(8)
    const answer = setInterval(() => {
      for (const resolve of waiting.splice(0)) resolve()
    })
    onTestFinished(() => clearInterval(answer))
    await expect.poll(() => snapshots.has(300)).toBe(true)
    expect(asked).toHaveLength(300)
    expect(errors).toEqual([])
  })

  it('of machines that never answer do not hold up those of other people', async () => {
    const { snapshots, asked } = manyMachines({ isQuick: false })
    for (let id = 1; id <= 20; id++) snapshots.take({ id, server_id: id })
    snapshots.take({ id: 21, server_id: 1001 })
    await expect.poll(() => asked).toContain(1001)
    expect(asked).toHaveLength(9)
  })

  it.each([
    ['processes', ['processes'], { cause: 'timeout', reason: 'processes did not answer.' }],
    [
      'units',
      ['processes', 'units'],
      {
        processes: { items: [] },
        units: { cause: 'timeout' },
        disks: { cause: 'timeout' },
        logs: { cause: 'timeout' },
      },
    ],
  ])('wait no second time for a machine that did not answer about its %s', async (silentAbout, all, expected) => {
    const { snapshots, subjects } = manyMachines({ silentAbout })
    snapshots.take({ id: 1, server_id: 1 })
    await expect.poll(() => snapshots.has(1)).toBe(true)
    expect(subjects).toEqual(all)
    expect(snapshots.read(anybody, 1)).toMatchObject(expected)
  })

  it('have at most 64 KiB, of which the last lines of the journal are kept', async () => {
    const { snapshots, table } = manyMachines()
    snapshots.take({ id: 1, server_id: 1 })
    await expect.poll(() => snapshots.has(1)).toBe(true)
    expect(table.of(1)?.data.length).toBeLessThanOrEqual(snapshotLimits.bytes)
    const { logs } = snapshots.read(anybody, 1)
    expect(logs).toMatchObject({ truncated: true })
    expect(logs?.items[0]?.message).toHaveLength(snapshotLimits.message)
  })

  it('are gone after 31 days, and with their server', async () => {
    const { snapshots, table, clock, gone } = manyMachines()
    snapshots.take({ id: 1, server_id: 1 })
    snapshots.take({ id: 2, server_id: 2 })
    await expect.poll(() => snapshots.has(2)).toBe(true)
    gone.add(2)
    table.removeOld()
    expect([1, 2].map(snapshots.has)).toEqual([true, false])
    clock.now += snapshotStoreLimits.ageMs + 1
    expect(snapshots.read(anybody, 1)).toEqual({ reason: expect.any(String) })
    table.removeOld()
    expect(table.of(1)).toBeUndefined()
  })

  it('of a server with many are removed first when all are too many', () => {
    const { table, clock } = manyMachines()
    const data = 'x'.repeat(1024 * 1024)
    table.add({ server_id: 1, taken_at: clock.now, alarm_ids: [1], data })
    for (let id = 2; id <= 70; id++) table.add({ server_id: 2, taken_at: clock.now, alarm_ids: [id], data })
    expect(table.of(1)).toBeTruthy()
    expect(table.of(2)).toBeUndefined()
    expect(table.of(70)).toBeTruthy()
  })
})
