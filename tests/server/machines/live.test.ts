import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Person } from '../../../server/person.ts'
import type { LiveFrame } from '../../../src/schemas/machines/live.ts'
import { admin, type DataApp, dataApp, member } from '../../support/console/dataApp.ts'
import { createTestHost } from '../../support/server/testHost.ts'

let data: DataApp
afterEach(() => data.app.close())

async function listening(tickMs = 20) {
  data = await dataApp({ tickMs })
  await data.app.listen({ port: 0, host: '127.0.0.1' })
  const host = createTestHost()
  data.machines.add(host)
  host.report({
    host: { platform: 'debian', platform_version: '12', version: '1' },
    state: { cpu: 5 },
    country_code: 'it',
  })
  return { ...data, host }
}

function connect(person: Person | null): { socket: WebSocket; frames: LiveFrame[] } {
  const { port } = data.app.server.address() as AddressInfo
  const headers = person ? { 'x-person': JSON.stringify(person) } : {}
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/server`, { headers })
  const frames: LiveFrame[] = []
  socket.on('message', (message) => frames.push(JSON.parse(String(message))))
  return { socket, frames }
}

async function framesOf(person: Person | null, count: number): Promise<LiveFrame[]> {
  const { socket, frames } = connect(person)
  await vi.waitFor(() => expect(frames.length).toBeGreaterThanOrEqual(count))
  socket.terminate()
  return frames
}

describe('the live stream', () => {
  it('begins at once', async () => {
    await listening(60_000)
    const [first] = await framesOf(admin, 1)
    expect(first).toMatchObject({ online: 1, servers: [{ id: 1, name: 'pleasant-pug', state: { cpu: 5 } }] })
    expect(Math.abs((first?.now ?? 0) - Date.now())).toBeLessThan(10_000)
  })

  it('goes on with new metrics and new names', async () => {
    const { host, call } = await listening()
    const { frames } = connect(admin)
    await vi.waitFor(() => expect(frames.length).toBeGreaterThan(1))
    host.report({ state: { cpu: 77 } })
    await call('PATCH', 'server/1', { name: 'renamed' })
    await vi.waitFor(() => expect(frames.at(-1)?.servers).toMatchObject([{ name: 'renamed', state: { cpu: 77 } }]))
  })

  it('makes the first frame once for all who open the list at once, and none for who has left', async () => {
    await listening(60_000)
    // Each frame asks for the metrics of its one machine.
    const made = vi.spyOn(data.machines, 'stateJson')
    const { port } = data.app.server.address() as AddressInfo
    const gone = Array.from({ length: 30 }, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/server`)
      await new Promise((resolve) => socket.once('open', resolve))
      socket.terminate()
    })
    await Promise.all(gone)
    await vi.waitFor(() => expect(data.online.count()).toBe(0))
    const lists = Array.from({ length: 30 }, () => connect(null))
    await vi.waitFor(() => {
      for (const { frames } of lists) expect(frames).toHaveLength(1)
    })
    expect(made).toHaveBeenCalledTimes(1)
    await framesOf(admin, 1)
    expect(made).toHaveBeenCalledTimes(2)
  })

  it('shows names of any script, and each open list the same frames', async () => {
    const { call } = await listening()
    const name = '北京 🚀 "è" '.repeat(8).trim()
    await call('PATCH', 'server/1', { name })
    const lists = [connect(admin), connect(admin)]
    await vi.waitFor(() => {
      for (const { frames } of lists) expect(frames.length).toBeGreaterThan(5)
    })
    for (const { frames } of lists) {
      for (const { servers } of frames) expect(servers?.[0]).toMatchObject({ name, state: { cpu: 5 } })
    }
  })

  it('has exactly the fields of the contract', async () => {
    await listening()
    const [{ servers } = {} as LiveFrame] = await framesOf(admin, 1)
    expect(servers).toEqual([
      {
        id: 1,
        name: 'pleasant-pug',
        host: { platform: 'debian', platform_version: '12', version: '1' },
        state: { cpu: 5 },
        country_code: 'it',
        last_active: expect.stringMatching(/^2\d{3}-.*Z$/),
      },
    ])
  })

  it('carries public notes in its first frame only, and no private ones', async () => {
    const { call } = await listening()
    await call('PATCH', 'server/1', { name: 'x', note: 'secret', public_note: 'hello' })
    const [first, second] = await framesOf(null, 2)
    expect(first?.servers).toMatchObject([{ public_note: 'hello' }])
    expect(second?.servers?.[0]).not.toHaveProperty('public_note')
    expect(JSON.stringify(first)).not.toContain('secret')
  })

  it.each([
    ['a guest', null],
    ['a member who does not own it', member],
  ])('tells %s no versions and no hidden servers', async (_, person) => {
    const { call } = await listening()
    expect((await framesOf(person, 1))[0]?.servers).toMatchObject([{ host: { platform: 'debian' } }])
    expect((await framesOf(person, 1))[0]?.servers?.[0]?.host).toEqual({ platform: 'debian' })
    await call('PATCH', 'server/1', { name: 'x', hide_for_guest: true })
    expect((await framesOf(person, 2)).at(-1)?.servers).toEqual([])
    expect((await framesOf(admin, 2)).at(-1)?.servers).toMatchObject([{ host: { version: '1' } }])
  })

  it('shows a visitor who comes right after another nothing that was hidden meanwhile', async () => {
    const { call } = await listening(60_000)
    expect((await framesOf(null, 1))[0]?.servers).toHaveLength(1)
    await call('PATCH', 'server/1', { name: 'x', hide_for_guest: true })
    expect((await framesOf(null, 1))[0]?.servers).toEqual([])
  })

  it('counts the open streams, and remembers who they are', async () => {
    const { online } = await listening()
    const guest = connect(null)
    const { frames } = connect(admin)
    await vi.waitFor(() => expect(frames.at(-1)?.online).toBe(2))
    expect(online.list().map(({ person }) => person?.username)).toEqual([undefined, 'admin'])
    expect(online.list()[0]?.address).toBe('127.0.0.1')
    guest.socket.close()
    await vi.waitFor(() => expect(frames.at(-1)?.online).toBe(1))
  })

  it('pings after every fourth frame', async () => {
    await listening()
    const { socket, frames } = connect(admin)
    const framesAtPing: number[] = []
    socket.on('ping', () => framesAtPing.push(frames.length))
    await vi.waitFor(() => expect(framesAtPing.length).toBeGreaterThanOrEqual(2))
    expect(framesAtPing.slice(0, 2)).toEqual([4, 8])
  })

  it('ends for a viewer that does not answer', async () => {
    await listening()
    const { socket } = connect(admin)
    socket.pong = () => {}
    const closed = new Promise((resolve) => socket.on('close', resolve))
    expect(await closed).toBe(1006)
    await vi.waitFor(() => expect(data.online.count()).toBe(0))
  })

  it('ends for a viewer that does not keep up, while the others go on', async () => {
    const { host } = await listening()
    // 4 MB a frame: more than a connection takes in when nobody reads at its other end.
    host.report({ host: { cpu: ['x'.repeat(4_000_000)] } })
    const slow = connect(admin)
    await vi.waitFor(() => expect(slow.frames.length).toBeGreaterThan(0))
    slow.socket.pause()
    const before = slow.frames.length
    const other = connect(null)
    await vi.waitFor(() => expect(data.online.count()).toBe(2))
    await vi.waitFor(() => expect(data.online.count()).toBe(1))
    expect(slow.frames.length).toBe(before)
    other.frames.length = 0
    await vi.waitFor(() => expect(other.frames.length).toBeGreaterThan(1))
  })
})
