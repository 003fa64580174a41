import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createFleetChanges } from '../../../server/machines/live/fleetChanges.ts'
import type { Person } from '../../../server/person.ts'
import type { ChangesFrame, ServerValues } from '../../../src/schemas/machines/serverChanges.ts'
import { server } from '../../../src/schemas/server.ts'
import { admin, type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import { createTestHost } from '../../support/server/testHost.ts'

let data: DataApp
afterEach(() => data.app.close())

/** @param count machines, of which each has reported once */
async function listening(tickMs = 20, count = 1) {
  data = await dataApp({ tickMs })
  await data.app.listen({ port: 0, host: '127.0.0.1' })
  const hosts = Array.from({ length: count }, (_, at) => createTestHost({ uuid: `machine-${at}`, name: `m${at}` }))
  for (const host of hosts) {
    data.machines.add(host)
    host.report({
      host: { platform: 'debian', platform_version: '12', version: '1', mem_total: 1000, disk_total: 1000 },
      state: { cpu: 5, disk_used: 100 },
    })
  }
  return { ...data, hosts, host: hosts[0] as (typeof hosts)[number] }
}

function connect(person: Person | null = admin) {
  const { port } = data.app.server.address() as AddressInfo
  const headers = person ? { 'x-person': JSON.stringify(person) } : {}
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/wheelhouse/servers`, { headers })
  const frames: ChangesFrame[] = []
  const answers: ServerValues[] = []
  const closed = new Promise<[number, string]>((resolve) =>
    socket.on('close', (code, reason) => resolve([code, String(reason)])),
  )
  socket.on('message', (message: Buffer, isBinary) => {
    const read = JSON.parse(String(isBinary ? gunzipSync(message) : message))
    if ('values' in read) answers.push(read)
    else frames.push(read)
  })
  const isOpen = new Promise((resolve) => socket.once('open', resolve))
  const send = async (request: unknown) => {
    await isOpen
    socket.send(typeof request === 'string' ? request : JSON.stringify(request))
  }
  /** What frames had of one kind, one after the other. */
  const all = <Key extends 'online' | 'offline' | 'full_disks' | 'gone' | 'shown'>(key: Key) =>
    frames.flatMap((frame): readonly unknown[] => frame[key] ?? [])
  return { socket, frames, answers, closed, send, all }
}

/** Waits until frames have gone by that were made from now on. */
async function pass({ frames }: { frames: readonly unknown[] }): Promise<void> {
  const { length } = frames
  await vi.waitFor(() => expect(frames.length).toBeGreaterThan(length + 2))
}

describe('the stream of changed servers', () => {
  it('begins at once with all servers, and says that this is all', async () => {
    await listening(60_000, 2)
    const { frames } = connect()
    await vi.waitFor(() => expect(frames).toHaveLength(1))
    expect(frames[0]).toEqual({ now: expect.any(Number), watching: 1, reset: true, online: [1, 2] })
  })

  it('says nothing of servers that report what they reported before, or whose metrics nobody looks at', async () => {
    const { host } = await listening()
    const list = connect()
    await pass(list)
    const before = list.frames.length
    host.report({ state: { cpu: 77 } })
    await pass(list)
    for (const frame of list.frames.slice(before)) expect(Object.keys(frame)).toEqual(['now', 'watching'])
  })

  it('has everything of a server that is shown at once, and then what is new of it', async () => {
    const { host, machines } = await listening()
    const list = connect()
    await vi.waitFor(() => expect(list.frames).not.toEqual([]))
    await list.send({ show: [1] })
    await vi.waitFor(() => expect(list.all('shown')).toHaveLength(1))
    expect(list.all('shown')[0]).toEqual({
      id: 1,
      seen: machines.lastSeen({ id: 1 }),
      host: { platform: 'debian', platform_version: '12', version: '1', mem_total: 1000, disk_total: 1000 },
      report: { state: { cpu: 5, disk_used: 100 } },
    })
    await pass(list)
    expect(list.all('shown')).toHaveLength(1)
    const { seen: before } = list.all('shown')[0] as { seen: number }
    host.report({
      host: { platform: 'debian', platform_version: '12', version: '1', mem_total: 1000, disk_total: 1000 },
      state: { cpu: 77, disk_used: 100 },
      at: new Date(before + 1000),
    })
    await vi.waitFor(() => expect(list.all('shown')).toHaveLength(2))
    expect(list.all('shown')[1]).toEqual({
      id: 1,
      seen: before + 1000,
      report: { state: { cpu: 77, disk_used: 100 } },
    })
  })

  it('has the newest state of a server that is shown again', async () => {
    const { host } = await listening()
    const list = connect()
    await list.send({ show: [1] })
    await vi.waitFor(() => expect(list.all('shown')).toHaveLength(1))
    await list.send({ show: [] })
    await pass(list)
    host.report({ state: { cpu: 9 } })
    await pass(list)
    expect(list.all('shown')).toHaveLength(1)
    await list.send({ show: [1] })
    await vi.waitFor(() => expect(list.all('shown')[1]).toMatchObject({ host: {}, report: { state: { cpu: 9 } } }))
  })

  it('says who goes offline and when it was seen, who comes back, and who is removed', async () => {
    const { hosts, machines, call } = await listening(20, 2)
    const list = connect()
    await vi.waitFor(() => expect(list.all('online')).toEqual([1, 2]))
    hosts[1]?.disconnect()
    await vi.waitFor(() => expect(list.all('offline')).toEqual([[2, machines.lastSeen({ id: 2 })]]))
    hosts[1]?.report()
    await vi.waitFor(() => expect(list.all('online')).toEqual([1, 2, 2]))
    await call('POST', 'batch-delete/server', [1])
    await vi.waitFor(() => expect(list.all('gone')).toEqual([1]))
  })

  it('says whose disks are full, and when they no longer are', async () => {
    const { host } = await listening()
    const list = connect()
    await pass(list)
    const report = (disk_used: number) => host.report({ host: { disk_total: 1000 }, state: { disk_used } })
    report(980)
    await vi.waitFor(() => expect(list.all('full_disks')).toEqual([[1, 98]]))
    // No end yet: it is at the limit.
    report(965)
    await vi.waitFor(() => expect(list.all('full_disks').at(-1)).toEqual([1, 97]))
    report(500)
    await vi.waitFor(() => expect(list.all('full_disks').at(-1)).toEqual([1, 0]))
  })

  it('answers once with what lists sort by', async () => {
    await listening()
    const other = createTestHost({ uuid: 'machine-2' })
    data.machines.add(other)
    other.report({ state: { cpu: Number.NaN, mem_used: 7, net_in_speed: 3 } })
    const list = connect()
    await list.send({ values: 42 })
    await vi.waitFor(() => expect(list.answers).toHaveLength(1))
    const [answer] = list.answers
    expect(answer).toMatchObject({
      values: 42,
      ids: [1, 2],
      mem_total: [1000, 0],
      disk_total: [1000, 0],
      metrics: [
        [5, null],
        [0, 7],
        [100, 0],
        [0, 3],
        [0, 0],
      ],
    })
    expect(answer?.age.every((age) => age !== null && age >= 0)).toBe(true)
    await pass(list)
    expect(list.answers).toHaveLength(1)
  })
})

describe('what lists sort by', () => {
  it('is compressed for who asks for that, with processors to a hundredth of a percent', async () => {
    const { host } = await listening()
    host.report({ state: { cpu: 12.345678 } })
    const list = connect()
    const isBinary = new Promise((resolve) =>
      list.socket.on('message', (message: Buffer, binary) => binary && resolve(message.length)),
    )
    await list.send({ values: 3, gzip: true })
    await vi.waitFor(() =>
      expect(list.answers).toMatchObject([{ values: 3, ids: [1], metrics: [[12.35], [0], [0], [0], [0]] }]),
    )
    await isBinary
  })

  it('is made anew after the clock was set back', async () => {
    const { host } = await listening()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const list = connect()
    await list.send({ values: 1 })
    await vi.waitFor(() => expect(list.answers).toMatchObject([{ metrics: [[5], [0], [100], [0], [0]] }]))
    vi.setSystemTime(Date.now() - 3_600_000)
    host.report({ state: { cpu: 77, disk_used: 100 } })
    await pass(list)
    await list.send({ values: 2 })
    await vi.waitFor(() =>
      expect(list.answers.at(-1)).toMatchObject({ values: 2, metrics: [[77], [0], [100], [0], [0]] }),
    )
  })

  it('is made anew between two ticks as soon as a server is hidden', async () => {
    const { call } = await listening(60_000)
    const [first, second] = [connect(member), connect(member)]
    await first.send({ values: 1, gzip: true })
    await vi.waitFor(() => expect(first.answers).toMatchObject([{ ids: [1] }]))
    await call('PATCH', 'server/1', { name: 'hidden', hide_for_guest: true })
    await second.send({ values: 1, gzip: true })
    await vi.waitFor(() => expect(second.answers).toMatchObject([{ ids: [] }]))
  })

  it('is answered a few times between two ticks, and then with the next one', async () => {
    await listening(60_000)
    const list = connect()
    for (let request = 1; request <= 4; request++) {
      await list.send({ values: request })
      await vi.waitFor(() => expect(list.answers).toHaveLength(request))
    }
    await list.send({ values: 5 })
    await list.send({ show: [1] })
    await vi.waitFor(() => expect(list.all('shown')).toHaveLength(1))
    expect(list.answers).toHaveLength(4)
  })
})

describe('what somebody may not see', () => {
  it.each([
    ['a guest', null],
    ['a member who does not own it', member],
  ])('%s is told no versions', async (_, person) => {
    await listening()
    const list = connect(person)
    await list.send({ show: [1] })
    await vi.waitFor(() => expect(list.all('shown')).toMatchObject([{ id: 1, report: {} }]))
    expect(list.all('shown')).not.toMatchObject([{ host: { version: '1' } }])
  })

  it('is nothing that a thousand members hear of, each of whom has a hidden server', async () => {
    const { app, store, machines } = await listening(60_000, 0)
    const members = Array.from({ length: 1000 }, (_, at) => ({ id: 100 + at, username: `m${at}`, role: 1 }))
    const hosts = members.map(({ id }) => {
      const uuid = `machine-${id}`
      const row = machines.register(uuid, `of ${id}`, id)
      entityTable(store, server).update(row, { hide_for_guest: true })
      const host = createTestHost({ uuid })
      machines.add(host)
      return { row, host }
    })
    const changes = createFleetChanges(store, machines, app.serverAccess)
    const lists = members.map((person) => ({ person, view: changes.createView(), sent: new Map() }))
    for (const added of [0, 7]) {
      for (const [at, { person, view, sent }] of lists.entries()) {
        const own = hosts[at]?.row
        hosts[at]?.host.report({ state: { cpu: 1 + (at % 90) + added } })
        await view.look(person)
        expect(view.changesSince(0)).toBe(`,"online":[${own}]`)
        // Everybody asks for the servers of two others as well.
        const asked = [at, at + 1, at + 2].map((place) => hosts[place % hosts.length]?.row ?? 0)
        const shown = asked.flatMap((row) => changes.shown(person, row, sent) ?? [])
        expect(shown.map((text) => JSON.parse(text))).toMatchObject([
          { id: own, report: { state: { cpu: 1 + (at % 90) + added } } },
        ])
      }
    }
  })

  it('is gone with the next frame, is not shown on request, and is in no values', async () => {
    const { host, call } = await listening()
    const list = connect(member)
    await list.send({ show: [1] })
    await vi.waitFor(() => expect(list.all('shown')).toHaveLength(1))
    await call('PATCH', 'server/1', { name: 'hidden', hide_for_guest: true })
    await vi.waitFor(() => expect(list.all('gone')).toEqual([1]))
    const { length } = list.all('shown')
    host.report({ state: { cpu: 50 } })
    await list.send({ show: [] })
    await list.send({ show: [1] })
    await list.send({ values: 1 })
    await vi.waitFor(() => expect(list.answers).toMatchObject([{ ids: [] }]))
    await pass(list)
    expect(list.all('shown')).toHaveLength(length)
    await call('PATCH', 'server/1', { name: 'hidden', hide_for_guest: false })
    await vi.waitFor(() => expect(list.all('shown').at(-1)).toMatchObject({ host: {}, report: { state: { cpu: 50 } } }))
  })
})

describe('limits', () => {
  it.each([
    ['text that is no JSON', 'hello'],
    ['an unknown request', { watch: [1] }],
    ['more servers than may be shown', { show: Array.from({ length: 1001 }, (_, at) => at + 1) }],
  ])('%s ends the stream with words', async (_, request) => {
    await listening()
    const list = connect()
    await list.send(request)
    expect(await list.closed).toEqual([1008, expect.stringContaining('up to 1000 server ids')])
  })

  it('who names ever more servers gets those of the second thousand with the next tick', async () => {
    await listening(60_000, 2)
    const list = connect()
    await vi.waitFor(() => expect(list.frames).toHaveLength(1))
    const others = (from: number) => Array.from({ length: 600 }, (_, at) => from + at)
    await list.send({ show: [1, ...others(1000)] })
    await vi.waitFor(() => expect(list.all('shown')).toHaveLength(1))
    await list.send({ show: [2, ...others(2000)] })
    await list.send({ values: 1 })
    await vi.waitFor(() => expect(list.answers).toHaveLength(1))
    expect(list.all('shown')).toHaveLength(1)
  })

  it('who has had no frame for so long that removed servers are forgotten gets everything anew', async () => {
    const { app, store, machines } = await listening(60_000)
    const view = createFleetChanges(store, machines, app.serverAccess).createView()
    await view.look(admin)
    expect(view.reachesBackTo(0)).toBe(false)
    expect(view.reachesBackTo(1)).toBe(true)
    for (let looks = 0; looks < 100; looks++) await view.look(admin)
    expect(view.reachesBackTo(1)).toBe(true)
    await view.look(admin)
    expect(view.reachesBackTo(1)).toBe(false)
  })

  it('a flood of requests ends the stream', async () => {
    await listening(60_000)
    const list = connect()
    for (let sent = 0; sent < 200; sent++) await list.send({ values: sent })
    expect((await list.closed)[0]).toBe(1006)
  })

  it('who reads nothing for a while gets the newest state in one frame', async () => {
    const { host } = await listening()
    const list = connect()
    await list.send({ show: [1] })
    await vi.waitFor(() => expect(list.all('shown')).toHaveLength(1))
    list.socket.pause()
    for (let cpu = 1; cpu <= 20; cpu++) host.report({ state: { cpu } })
    host.disconnect()
    list.socket.resume()
    await vi.waitFor(() => expect(list.all('shown').at(-1)).toMatchObject({ report: { state: { cpu: 20 } } }))
    await vi.waitFor(() => expect(list.all('offline')).toHaveLength(1))
  })
})
