import { describe, expect, it } from 'vitest'
import type { Send } from '../../../scripts/fuzz/clients.ts'
import { fuzz } from '../../../scripts/fuzz/run.ts'
import { addMachine } from '../../support/server/routes/validForm.ts'
import { password, testServer } from '../../support/server/testServer.ts'

describe('a server that gets random requests', () => {
  it('answers each as its description says, and logs no error', async () => {
    const server = await testServer()
    addMachine(server, 1)
    const send: Send = async ({ method, path, headers, body }, remoteAddress) => {
      const reply = await server.app.inject({
        method: method as 'GET',
        url: path,
        remoteAddress,
        headers: { host: '127.0.0.1:8008', ...headers },
        payload: body,
      })
      return {
        status: reply.statusCode,
        type: String(reply.headers['content-type'] ?? ''),
        text: reply.body,
        cookies: [reply.headers['set-cookie'] ?? []].flat(),
      }
    }
    const report = await fuzz({ send, admin: { username: 'admin', password }, count: 1500, seed: 20_261_121 })
    expect(report.faults).toEqual([])
    // Some requests look forwarded by a proxy.
    expect(server.logged.filter((line) => !line.startsWith('A proxy on this machine'))).toEqual([])
    // Enough requests must get past the security hooks.
    expect(report.successes.admin).toBeGreaterThan(100)
    expect(report.successes.member).toBeGreaterThan(50)
    expect(report.successes.anonymous).toBeGreaterThan(2)
    expect(report.routes).toBeGreaterThan(40)
    expect(report.statuses.get(413)).toBeGreaterThan(0)
  })
})
