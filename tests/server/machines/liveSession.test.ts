import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

let server: TestServer
afterEach(() => server.app.close())

/** A live stream, with the session of somebody who has signed in or without one. */
async function watch(username?: string) {
  const { port } = server.app.server.address() as AddressInfo
  const cookies = username ? (await signedIn(server, username)).cookies : new Map()
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/server`, { headers: { cookie } })
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  await new Promise((resolve) => socket.once('message', resolve))
  return { ended, isOpen: () => socket.readyState === WebSocket.OPEN }
}

async function listening() {
  server = await testServer({ tickMs: 50 })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  return createSessions(server.store, () => server.clock.now)
}

describe('a live stream', () => {
  it('ends with the session that it was opened with; others go on', async () => {
    const sessions = await listening()
    const [admin, member, guest] = [await watch('admin'), await watch('member'), await watch()]
    sessions.revokeAll(1)
    await admin.ended
    expect([member.isOpen(), guest.isOpen()]).toEqual([true, true])
  })

  it('ends when its person has become a member, and so sees less', async () => {
    await listening()
    const admin = await watch('admin')
    usersIn(server.store).update(1, { role: 1 })
    await admin.ended
  })

  it('ends when the time of its session is over, and not if that was renewed', async () => {
    const sessions = await listening()
    const [admin, member] = [await watch('admin'), await watch('member')]
    const [, ofMember] = server.store.table<{ id: number; user_id: number }>({ name: 'session', columns: [] }).all()
    server.clock.now += 40 * 60_000
    await sessions.renew(ofMember as Parameters<typeof sessions.renew>[0])
    server.clock.now += 40 * 60_000
    await admin.ended
    expect(member.isOpen()).toBe(true)
  })
})
