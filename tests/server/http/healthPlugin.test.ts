import { expect, it } from 'vitest'
import { openStore } from '../../../server/db/store.ts'
import { testServer } from '../../support/server/testServer.ts'

it.each(['/livez', '/readyz'])(
  '%s answers programs that watch, by any name and without the header of a proxy',
  async (path) => {
    const server = await testServer({ site: { web_real_ip_header: 'X-Real-IP' } })
    const reply = await server.browser('10.0.0.7').get(path, { host: '10.1.2.3:8008' })
    expect([reply.status, reply.text]).toEqual([200, 'ok\n'])
    const page = await server.browser('10.0.0.7').get('/api/v1/setting', { host: '10.1.2.3:8008' })
    expect(page.status).toBe(403)
  },
)

it('a server whose database cannot be read lives, and is not ready', async () => {
  const server = await testServer()
  const closed = openStore(':memory:')
  closed.close()
  server.store.isReadable = closed.isReadable
  const status = async (path: string) => (await server.browser().get(path)).status
  expect([await status('/livez'), await status('/readyz')]).toEqual([200, 503])
})

it('a server on which visitors have to sign in first tells whether it is ready', async () => {
  const server = await testServer({ settings: { host: '127.0.0.1', forceAuth: true } })
  expect((await server.browser().get('/readyz')).status).toBe(200)
})
