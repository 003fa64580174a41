import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { usersIn } from '../../../server/auth/users/users.ts'
import type { Store } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { nat } from '../../../src/schemas/nat.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { startTerminalServer } from '../../support/server/fixtures/terminalServer.ts'
import { mcpMachines, mcpProgram } from '../../support/server/mcpServer.ts'
import { forwardedName, openRequest, startNatServer, startService } from '../../support/server/natServer.ts'
import { signedIn, testServer } from '../../support/server/testServer.ts'

/** From now on nothing that is asked for who may do what can be read. */
function makeUnreadable(store: Store): void {
  const fail = () => {
    throw new Error('disk I/O error')
  }
  vi.spyOn(store, 'value').mockImplementation(fail)
  for (const table of [usersIn(store), entityTable(store, serverEntity), entityTable(store, nat)])
    for (const read of ['get', 'all', 'find'] as const) vi.spyOn(table, read).mockImplementation(fail)
  onTestFinished(() => void vi.restoreAllMocks())
}

describe('a server whose database cannot be read for a while', () => {
  it('goes on: what its timers do goes to the log, and succeeds when it can be read again', async () => {
    const { app, store, logged } = await testServer({ tickMs: 20 })
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/v1/ws/server`)
    onTestFinished(() => socket.terminate())
    let frames = 0
    socket.on('message', () => frames++)
    await vi.waitFor(() => expect(frames).toBeGreaterThan(1))

    const unreadable = [cron, serverEntity].map((entity) =>
      vi.spyOn(entityTable(store, entity), 'all').mockImplementation(() => {
        throw new Error('database is locked')
      }),
    )
    await vi.waitFor(() => {
      for (const what of ['A frame of the live stream could not be made:', 'Tasks could not be started'])
        expect(logged.join('\n')).toContain(what)
    })
    for (const spy of unreadable) spy.mockRestore()
    const before = frames
    await vi.waitFor(() => expect(frames).toBeGreaterThan(before + 1))
  })

  it('ends a terminal, as a timer looks at it or a key is pressed, and says why in the log', async () => {
    for (const watchMs of [20, 3_600_000]) {
      const { open, store, logged } = await startTerminalServer({ watchMs })
      const terminal = await open()
      makeUnreadable(store)
      terminal.type('x')
      expect(await terminal.closed).toBe(1006)
      expect(logged.join('\n')).toContain('may go on could not be found out; it was ended: Error: disk I/O error')
      vi.restoreAllMocks()
    }
  })

  it('ends a stream of transfers', async () => {
    const server = await testServer()
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 })
    const { cookies } = await signedIn(server)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const socket = new WebSocket(`${address.replace('http', 'ws')}/api/v1/ws/transfer`, { headers: { cookie } })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    makeUnreadable(server.store)
    await once(socket, 'close')
    expect(server.logged.join('\n')).toContain('Whether a stream of transfers may go on could not be found out')
  })

  it('ends a call of a tool', async () => {
    const server = await mcpMachines()
    const exec = vi.fn(() => new Promise<never>(() => {}))
    server.host.operations.exec = exec
    const call = mcpProgram(server).tool('server.exec', { server_id: server.idOfHost, cmd: 'sleep', args: ['9'] })
    await vi.waitFor(() => expect(exec).toHaveBeenCalled())
    makeUnreadable(server.store)
    expect(await call).toMatchObject({ content: [{ text: 'context canceled' }], isError: true })
    expect(server.logged.join('\n')).toContain('Whether a call of a tool may go on could not be found out')
  })

  it('ends a forwarded request, and answers the next ones', async () => {
    const { port: target, requests } = await startService(() => {})
    const { port, store, logged } = await startNatServer({ target, nat: { times: { checkIntervalMs: 20 } } })
    const request = openRequest(port)
    request.end()
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    const ended = once(request, 'error')
    makeUnreadable(store)
    await ended
    expect(logged.join('\n')).toContain('Whether a forwarded request may go on could not be found out')
    for (const upgrade of ['', 'connection: upgrade\r\nupgrade: websocket\r\n']) {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.write(`GET / HTTP/1.1\r\nhost: ${forwardedName}\r\n${upgrade}\r\n`)
      const [reply] = (await once(socket, 'data')) as [Buffer]
      expect(reply.toString()).toMatch(/^HTTP\/1\.1 [45]/)
    }
  })
})
