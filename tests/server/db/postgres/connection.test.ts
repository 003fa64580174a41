import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect, drop, readRows } from '../../../../server/db/postgres/connection.ts'
import { createPresence } from '../../../../server/db/postgres/presence.ts'
import { testPostgres } from '../../../support/postgres/testPostgres.ts'

/** Who connects, and what stands for a database that they meet. */
async function databaseThat(does: (socket: Socket) => void) {
  const open = new Set<Socket>()
  const seen = { begun: 0, most: 0, open: () => open.size }
  const server = createServer((socket) => {
    open.add(socket)
    seen.begun++
    // The end of one before is there, and may be read after this.
    setTimeout(() => {
      seen.most = Math.max(seen.most, open.size)
    }, 100)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    does(socket)
    socket.resume()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { place: { url: `postgres://a@127.0.0.1:${port}/a`, schema: 'a' }, seen }
}

it('an answer that came while the server was busy or stopped counts, and one that does not come ends the connection', async () => {
  const client = await connect(await testPostgres(), 'a')
  onTestFinished(() => drop(client))
  const answer = readRows(client, 'SELECT 1', [], 400)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  expect(await answer).toEqual([['1']])
  await expect(readRows(client, 'SELECT pg_sleep(60)', [], 400)).rejects.toThrow('terminated')
})

it('a connection that this server cannot go on with is closed, and PostgreSQL does not wait for it', async () => {
  // It wants a password, and none is in the address.
  const answers = ['\0\0\0\x0aSCRAM-SHA-256\0\0', '\0\0\0\x0br=a,s=YQ==,i=4096']
  const { place, seen } = await databaseThat((socket) =>
    socket.on('data', () => {
      const answer = Buffer.from(answers.shift() ?? '', 'latin1')
      socket.write(Buffer.concat([Buffer.from('R\0\0\0'), Buffer.from([answer.length + 4]), answer]))
    }),
  )
  await expect(connect(place, 'a')).rejects.toThrow('password')
  await vi.waitFor(() => expect(seen.open()).toBe(0))
})

it('a leader that PostgreSQL does not answer makes one connection at a time to say that it is there', async () => {
  const { place, seen } = await databaseThat(() => {})
  const log = { info() {}, warn() {}, error() {} }
  const options = { place, nodeId: 'a', address: '', version: '', log, applied: () => 0, isAway: () => true }
  const presence = createPresence(options)
  onTestFinished(() => presence.close())
  presence.start()
  await vi.waitFor(() => expect(seen.begun).toBe(3))
  expect(seen.most).toBe(1)
})
