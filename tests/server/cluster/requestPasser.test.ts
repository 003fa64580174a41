import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openNodeLinks } from '../../../server/cluster/nodeLinks.ts'
import { createRequestPasser } from '../../../server/cluster/requestPasser.ts'

const key = Buffer.alloc(32, 9)

/** A node that has handed the lead over to another one, whose address may come later. */
async function handedOver(leaderAddress: () => string | undefined, holdMs?: number) {
  const passer = createRequestPasser({ key, leaderAddress, holdMs })
  const server = createServer(passer.serve)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { passer, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A node that leads, and what it was asked. */
async function nextLeader() {
  const asked: { line: string; address?: string; body: string; cookie?: string }[] = []
  const server = createServer(async (incoming: IncomingMessage, response) => {
    const body = await text(incoming)
    const { method, url, socket, headers } = incoming
    asked.push({ line: `${method} ${url}`, address: socket.remoteAddress, body, cookie: headers.cookie })
    response.setHeader('set-cookie', ['a=1', 'b=2']).writeHead(201).end('saved')
  })
  const links = await openNodeLinks({ key, chosen: '127.0.0.1:0', host: '127.0.0.1' })
  links.accept({ visitor: (socket) => void server.emit('connection', socket), agents: () => {} })
  onTestFinished(() => links.close())
  return { asked, address: links.address }
}

it('a request that arrives while the lead changes is answered whole by the next leader', async () => {
  const next = await nextLeader()
  let address: string | undefined
  const { address: origin } = await handedOver(() => address)
  const body = 'x'.repeat(200_000)
  const reply = fetch(`${origin}/api/v1/server-group?a=1`, { method: 'POST', body, headers: { cookie: 'nz-jwt=1' } })
  // It is ready until there is another one to go to.
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  address = next.address
  const { status, headers } = await reply
  expect([status, await (await reply).text(), headers.getSetCookie()]).toEqual([201, 'saved', ['a=1', 'b=2']])
  expect(next.asked).toEqual([
    { line: 'POST /api/v1/server-group?a=1', address: '127.0.0.1', body, cookie: 'nz-jwt=1' },
  ])
})

it('load balancers are told that a node ends when the next leader answers', async () => {
  const links = await openNodeLinks({ key, chosen: '127.0.0.1:0', host: '127.0.0.1' })
  onTestFinished(() => links.close())
  const { passer, address } = await handedOver(() => links.address)
  const answered = passer.untilAnswered(60_000)
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  const server = createServer((_, response) => void response.end('ok'))
  links.accept({ visitor: (socket) => void server.emit('connection', socket), agents: () => {} })
  expect(await answered).toBe(true)
  await vi.waitFor(async () => expect((await fetch(`${address}/readyz`)).status).toBe(404))
  expect((await fetch(`${address}/livez`)).status).toBe(200)
})

it('who has waited for a leader in vain is told that nothing was saved', async () => {
  const { address } = await handedOver(() => undefined, 1)
  const reply = await fetch(`${address}/api/v1/server-group`, { method: 'POST', body: '{}' })
  expect([reply.status, await reply.json()]).toEqual([503, { error: expect.stringContaining('nothing was saved') }])
})

it.each(['GET', 'DELETE', 'OPTIONS', 'POST'])(
  'a body of %s whose length is not said is no further request at the next leader',
  async (method) => {
    const next = await nextLeader()
    const { address: origin } = await handedOver(() => next.address)
    const body = 'GET /of-nobody HTTP/1.1\r\nhost: console\r\nx-real-ip: 10.0.0.1\r\n\r\n'
    const asked = request(`${origin}/of-somebody`, { method, headers: { 'transfer-encoding': 'chunked' } })
    asked.end(body)
    const [reply] = await once(asked, 'response')
    expect(await text(reply)).toBe('saved')
    expect(next.asked.map(({ line, body }) => ({ line, body }))).toEqual([{ line: `${method} /of-somebody`, body }])
  },
)
