import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createFollowerServer } from '../../../server/cluster/followerServer.ts'
import { openLink, openNodeLinks } from '../../../server/cluster/nodeLinks.ts'

const key = randomBytes(32)
const limits = { perKey: 2, total: 3, waiting: 0, waitMs: 100 }

function connectTo(port: number, localAddress: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Its end, also by force. */
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))

/** What a connection is told on `/livez`; '' when it is ended without a word. */
async function livez(socket: Socket): Promise<string> {
  socket.write('GET /livez HTTP/1.1\r\n\r\n')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await closed(socket)
  return text.split('\r\n')[0] ?? ''
}

it('a follower has few places for connections of one address that say nothing', async () => {
  const follower = createFollowerServer({
    key,
    leaderAddress: () => undefined,
    isReady: () => true,
    acceptAgent: () => {},
    limits,
  })
  follower.server.listen(0, '127.0.0.1')
  await once(follower.server, 'listening')
  onTestFinished(() => follower.close())
  const { port } = follower.server.address() as AddressInfo
  const silent = [connectTo(port, '127.0.0.2'), connectTo(port, '127.0.0.2')]
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  expect(await livez(connectTo(port, '127.0.0.2'))).toBe('')
  expect(await livez(connectTo(port, '127.0.0.3'))).toBe('HTTP/1.1 200 OK')
  for (const socket of silent) socket.destroy()
  await vi.waitFor(async () => expect(await livez(connectTo(port, '127.0.0.2'))).toBe('HTTP/1.1 200 OK'))
})

it('what has reached the leader takes no place, on either side', async () => {
  const links = await openNodeLinks({ key, chosen: '127.0.0.1:0', host: '127.0.0.1', limits })
  onTestFinished(() => links.close())
  const arrived: Socket[] = []
  links.accept({ visitor: (socket) => void arrived.push(socket), agents() {} })
  const follower = createFollowerServer({
    key,
    leaderAddress: () => links.address,
    isReady: () => true,
    acceptAgent: () => {},
    limits,
  })
  follower.server.listen(0, '127.0.0.1')
  await once(follower.server, 'listening')
  onTestFinished(() => follower.close())
  const { port } = follower.server.address() as AddressInfo
  for (let count = 1; count <= 5; count++) {
    connectTo(port, '127.0.0.2').write('GET /silent HTTP/1.1\r\n')
    await vi.waitFor(() => expect(arrived).toHaveLength(count))
  }
  expect(arrived.map(({ remoteAddress }) => remoteAddress)).toEqual(Array(5).fill('127.0.0.2'))
})

it('connections without the key take few places of other nodes, until they end', async () => {
  const links = await openNodeLinks({ key, chosen: '127.0.0.1:0', host: '127.0.0.1', limits })
  onTestFinished(() => links.close())
  const arrived: Socket[] = []
  links.accept({ visitor: (socket) => void arrived.push(socket), agents() {} })
  const port = Number(links.address.split(':')[1])
  const silent = [connectTo(port, '127.0.0.2'), connectTo(port, '127.0.0.2')]
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  const refused = connectTo(port, '127.0.0.2')
  refused.resume()
  await closed(refused)
  const link = openLink(links.address, key, { remoteAddress: '192.0.2.7', remotePort: 5 })
  onTestFinished(() => void link.destroy())
  await vi.waitFor(() => expect(arrived.map(({ remoteAddress }) => remoteAddress)).toEqual(['192.0.2.7']))
  for (const socket of silent) socket.destroy()
  const again = connectTo(port, '127.0.0.2')
  await once(again, 'connect')
  again.write('no TLS at all')
  again.resume()
  await closed(again)
})
