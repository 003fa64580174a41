import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { cron } from '../../../src/schemas/cron.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { testServer } from '../../support/server/testServer.ts'

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
      vi.spyOn(entityTable(store, entity), 'version').mockImplementation(() => {
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
})
