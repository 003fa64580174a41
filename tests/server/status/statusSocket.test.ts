import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import type { PublicStatus } from '../../../src/schemas/status/publicStatus.ts'
import { createTestHost } from '../../support/server/testHost.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

async function listening({ tickMs, ...options }: { forceAuth?: boolean; tickMs?: number } = {}) {
  const host = createTestHost({ uuid: 'a', name: 'web-1' })
  const server = await testServer({
    settings: { host: '127.0.0.1', ...options },
    tickMs,
    machines: (on) => {
      const machines = createMachines(on)
      machines.add(host)
      return machines
    },
  })
  const report = (cpu: number) => host.report({ state: { cpu }, at: new Date(server.clock.now) })
  report(5)
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.app.close())
  const { port } = server.app.server.address() as AddressInfo

  function connect(headers: Record<string, string> = {}) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/status`, { headers })
    onTestFinished(() => socket.terminate())
    const frames: Partial<PublicStatus>[] = []
    socket.on('message', (message) => frames.push(JSON.parse(String(message))))
    const refused = new Promise<string>((resolve) => socket.on('error', ({ message }) => resolve(message)))
    return { socket, frames, refused }
  }
  const rename = (name: string) => entityTable(server.store, serverEntity).update(1, { name })
  return { server, host, report, connect, rename }
}

describe('the socket of the status page', () => {
  it('begins with everything, and goes on with what has changed', async () => {
    const { report, connect, rename } = await listening({ tickMs: 50 })
    const { frames } = connect()
    await expect.poll(() => frames.length).toBeGreaterThan(0)
    expect(frames[0]).toMatchObject({ servers: [{ name: 'web-1' }], metrics: { 1: { cpu: 5 } }, services: [] })
    report(77)
    const later = (key: 'metrics' | 'servers') => frames.slice(1).find((frame) => key in frame)
    await expect.poll(() => later('metrics')?.metrics).toEqual({ 1: { cpu: 77 } })
    expect(later('metrics')).not.toHaveProperty('servers')
    rename('web-2')
    await expect.poll(() => later('servers')?.servers).toMatchObject([{ name: 'web-2' }])
    expect(later('servers')).not.toHaveProperty('metrics')
    expect(frames.slice(1).every(({ now }) => typeof now === 'number')).toBe(true)
  })

  it('sends one and the same frame to all visitors, whenever they connected', async () => {
    const { report, connect } = await listening()
    const first = connect()
    await expect.poll(() => first.frames.length).toBeGreaterThan(1)
    const second = connect()
    await expect.poll(() => second.frames.length).toBe(1)
    report(42)
    for (const { frames } of [first, second])
      await expect.poll(() => frames.at(-1)?.metrics).toEqual({ 1: { cpu: 42 } })
    const whole = (frames: readonly Partial<PublicStatus>[]) => Object.assign({}, ...frames)
    expect(whole(second.frames)).toEqual(whole(first.frames))
  })

  it('shows visitors among the users who are online, and lets an administrator block them', async () => {
    const { server, connect } = await listening()
    const { socket, frames } = connect()
    await expect.poll(() => frames.length).toBeGreaterThan(0)
    const closed = new Promise((resolve) => socket.on('close', resolve))
    const admin = await signedIn(server, 'admin', '192.0.2.9')
    expect((await admin.get('online-user')).body).toMatchObject({ data: { value: [{ ip: '127.0.0.1' }] } })
    await admin.call('POST', 'online-user/batch-block', { body: ['127.0.0.1'] })
    await closed
    await expect.poll(() => server.app.onlineUsers.count()).toBe(0)
  })

  it('is closed to visitors with FORCE_AUTH, and ends with the session', async () => {
    const { server, connect } = await listening({ forceAuth: true, tickMs: 50 })
    expect(await connect().refused).toMatch(/Unexpected server response/)
    const member = await signedIn(server, 'member')
    const { socket, frames } = connect({ authorization: `Bearer ${member.cookies.get('nz-jwt')}` })
    await expect.poll(() => frames.length).toBeGreaterThan(0)
    const closed = new Promise((resolve) => socket.on('close', resolve))
    expect((await member.call('POST', 'wheelhouse/logout')).body).toMatchObject({ success: true })
    await closed
  })
})
