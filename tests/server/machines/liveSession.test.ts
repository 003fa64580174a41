import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createSessions } from '../../../server/auth/sessions/sessions.ts'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { LiveFrame } from '../../../src/schemas/machines/live.ts'
import { addMachine } from '../../support/server/routes/validForm.ts'
import { signedIn, type TestServer, testServer } from '../../support/server/testServer.ts'

let server: TestServer
afterEach(() => server.app.close())

/** A live stream, with the session of somebody who has signed in or without one. */
async function watch(username?: string, path = 'server') {
  const { port } = server.app.server.address() as AddressInfo
  const cookies = username ? (await signedIn(server, username)).cookies : new Map()
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws/${path}`, { headers: { cookie } })
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  let frame = ''
  socket.on('message', (message) => {
    frame = String(message)
  })
  await new Promise((resolve) => socket.once('message', resolve))
  const latest = () => JSON.parse(frame) as LiveFrame
  return { ended, latest, isOpen: () => socket.readyState === WebSocket.OPEN }
}

async function listening() {
  server = await testServer({ tickMs: 50 })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  return createSessions(server.store, () => server.clock.now)
}

describe('a live stream', () => {
  it.each(['server', 'wheelhouse/servers'])(
    '%s ends with the session it was opened with; others go on',
    async (path) => {
      const sessions = await listening()
      const [admin, member, guest] = [
        await watch('admin', path),
        await watch('member', path),
        await watch(undefined, path),
      ]
      sessions.revokeAll(1)
      await admin.ended
      expect([member.isOpen(), guest.isOpen()]).toEqual([true, true])
    },
  )

  it.each(['server', 'wheelhouse/servers'])(
    '%s ends when its person has become a member, and so sees less',
    async (path) => {
      await listening()
      const admin = await watch('admin', path)
      usersIn(server.store).update(1, { role: 1 })
      await admin.ended
    },
  )

  it('shows a viewer a server that is hidden from guests, as long as they have the role', async () => {
    await listening()
    addMachine(server, 1, { name: 'hidden', hide_for_guest: true })
    const member = await watch('member')
    const namesOf = () => (member.latest().servers ?? []).map(({ name }) => name)
    expect(namesOf()).toEqual([])
    const { roles } = server.app.auth
    roles.assign(2, [{ role: 'viewer', scope: { groups: [], servers: [1] } }])
    await vi.waitFor(() => expect(namesOf()).toEqual(['hidden']))
    // Whoever opens the list meanwhile gets no frame that was kept from before.
    roles.assign(2, [])
    const later = await watch('member')
    expect(later.latest().servers ?? []).toEqual([])
    await vi.waitFor(() => expect(namesOf()).toEqual([]))
    expect(member.isOpen()).toBe(true)
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
