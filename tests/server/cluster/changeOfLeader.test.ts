import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { signIn } from '../../../scripts/soak/api.ts'
import { createFollowerServer } from '../../../server/cluster/followerServer.ts'
import { openNodeLinks } from '../../../server/cluster/nodeLinks.ts'
import { ask } from '../../support/postgres/startPostgres.ts'
import { clusterSettings, nodeAdmin, startNode } from '../../support/server/process/nodeProcess.ts'

const key = randomBytes(32)
const asked = 'GET /api/v1/profile HTTP/1.1\r\n\r\n'

async function openFollower(leaderAddress: () => string | undefined, holdMs: number) {
  const follower = createFollowerServer({ key, leaderAddress, isReady: () => true, acceptAgent: () => {}, holdMs })
  follower.server.listen(0, '127.0.0.1')
  await once(follower.server, 'listening')
  onTestFinished(() => follower.close())
  const visit = () => {
    const socket = connect((follower.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write(asked)
    return socket
  }
  return { follower, visit }
}

/** What somebody who takes connections has been asked first. */
const firstOf = async (socket: Socket) => String((await once(socket, 'data'))[0])

it('who comes while nobody leads waits for the next leader, also until that one answers', async () => {
  const links = await openNodeLinks({ key, chosen: '127.0.0.1:0', host: '127.0.0.1' })
  onTestFinished(() => links.close())
  let address: string | undefined
  const { visit } = await openFollower(() => address, 60_000)
  const visitor = visit()
  await delay(50)
  address = '127.0.0.1:1'
  await delay(50)
  address = links.address
  await delay(300)
  const taken = new Promise<Socket>((resolve) => links.accept({ visitor: resolve, agents: () => {} }))
  expect(await firstOf(await taken)).toBe(asked)
  ;(await taken).end('answered')
  expect(await firstOf(visitor)).toBe('answered')
})

it('who waits at a node that leads then is answered there', async () => {
  const { follower, visit } = await openFollower(() => undefined, 60_000)
  const visitor = visit()
  await delay(50)
  const taken = new Promise<Socket>((resolve) => follower.lead(resolve, false))
  const socket = await taken
  socket.on('data', () => {})
  socket.end('answered')
  expect(await firstOf(visitor)).toBe('answered')
})

it('who is connected to a leader of before has to come again, because that one may be cut off', async () => {
  const links = await openNodeLinks({ key, chosen: '127.0.0.1:0', host: '127.0.0.1' })
  onTestFinished(() => links.close())
  const { follower, visit } = await openFollower(() => links.address, 60_000)
  const taken = new Promise<Socket>((resolve) => links.accept({ visitor: resolve, agents: () => {} }))
  const visitor = visit()
  expect(await firstOf(await taken)).toBe(asked)
  const ended = once(visitor, 'close')
  visitor.resume()
  follower.lead(() => {}, false)
  await ended
})

it('who has waited in vain is told so', async () => {
  const { visit } = await openFollower(() => undefined, 1)
  expect(await firstOf(visit())).toContain('no server leads this cluster at the moment: nothing was saved')
})

it('when the leader is stopped, everybody at both nodes is answered by the next one', async () => {
  const settings = await clusterSettings()
  const { DATABASE_URL: url, WHEELHOUSE_SCHEMA: schema } = settings
  const leader = await startNode(settings)
  const follower = await startNode(settings)
  const api = await signIn(follower.address, nodeAdmin)
  const acknowledged: string[] = []
  const statuses = new Set<number | string | undefined>()
  let count = 0
  /** Writes at a node, one after the other, on a connection that is kept alive. */
  function writerAt(address: string): () => Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    return async () => {
      const name = `group ${++count}`
      const call = request(`${address}/api/v1/server-group`, { method: 'POST', headers: api.headers(), agent })
      call.end(JSON.stringify({ name, servers: [] }))
      const [reply] = await once(call, 'response')
      reply.resume()
      await once(reply, 'end')
      statuses.add(reply.statusCode)
      acknowledged.push(name)
    }
  }
  const [atLeader, atFollower] = [writerAt(leader.address), writerAt(follower.address)]
  await Promise.all([atLeader(), atFollower()])
  // Until then, there is nobody who could take over.
  await vi.waitFor(async () => expect((await fetch(`${follower.address}/readyz`)).status).toBe(200))
  const leaders = () => ask({ url }, `SELECT 1 FROM "${schema}".leader_change`)
  let hasEnded = false
  void leader.ended.then(() => {
    hasEnded = true
  })
  leader.kill('SIGTERM')
  while (!hasEnded) {
    await atFollower()
    // Its port is closed when the next one has answered for some seconds, and not before.
    await atLeader().catch(async () => expect(await leaders()).toHaveLength(2))
  }
  await atFollower()
  expect(await leaders()).toHaveLength(2)
  expect([...statuses]).toEqual([200])
  expect(await leader.ended).toBe(0)
  const stored = (await ask({ url }, `SELECT name FROM "${schema}"."server-group"`)).map(({ name }) => name)
  expect(stored).toEqual(expect.arrayContaining(acknowledged))
  expect(new Set(stored).size).toBe(stored.length)
})
