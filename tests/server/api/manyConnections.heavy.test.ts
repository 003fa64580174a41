import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { overNetwork } from '../../../scripts/fuzz/overNetwork.ts'
import { buildApp } from '../../../server/app.ts'
import { hashPassword } from '../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { openStore } from '../../../server/db/store.ts'
import { startServerProcess, watching } from '../../support/server/process/serverProcess.ts'
import { temporaryFolder } from '../../support/server/temporaryFolder.ts'

const admin = { username: 'admin', password: 'correct horse' }

/** A server on a port. @param requestTimeoutMs for a whole request */
async function listening(requestTimeoutMs?: number): Promise<{ port: number; origin: string }> {
  const store = openStore(':memory:')
  addUser(usersIn(store), { ...admin, password: await hashPassword(admin.password), role: 0, now: 0 })
  const fail = (text: string, cause?: unknown) => {
    throw new Error(text, { cause })
  }
  const log = { info: () => {}, warn: () => {}, error: fail }
  const app = await buildApp({ store, log, settings: { host: '127.0.0.1' }, version: 'test', requestTimeoutMs })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}` }
}

/** Open connections that send nothing, from as many addresses as one may have 50; closed when the test ends. */
async function openConnections(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, (_, at) =>
    connect({ host: '127.0.0.1', port, localAddress: `127.0.1.${1 + Math.floor(at / 50)}` }),
  )
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

const settingAt = async (origin: string) => (await (await fetch(`${origin}/api/v1/setting`)).json()) as object

// Other systems have one loopback address only, and the connections of one address are limited.
describe.runIf(process.platform === 'linux')('many connections at once', () => {
  it('with 2,000 wrong passwords from as many addresses let a correct sign-in pass most of them', async () => {
    // A process of its own can be killed: closing the server would wait for all 2,000 hashes.
    const server = await startServerProcess({
      DATA_DIR: temporaryFolder(),
      ADMIN_PASSWORD: admin.password,
      ...watching,
    })
    const send = overNetwork(server.address)
    onTestFinished(() => send.close())
    const signIn = (body: object, address: string) =>
      send({ method: 'POST', path: '/api/v1/login', headers: {}, body: JSON.stringify(body) }, address)
    let answered = 0
    const guesses = Array.from({ length: 2000 }, (_, index) =>
      signIn({ ...admin, password: 'wrong' }, `127.7.${index >> 8}.${index & 255}`).then(
        () => answered++,
        // Requests that are still open when the test ends.
        () => undefined,
      ),
    )
    // The wrong passwords are being checked before the correct one arrives.
    while (answered < 20) await new Promise((resolve) => setTimeout(resolve, 10))
    const before = answered
    const reply = await signIn(admin, '127.0.0.1')
    expect(reply.text).toContain('"success":true')
    expect(answered - before).toBeLessThan(100)
    expect(server.output()).not.toMatch(/^\s+at .+:\d+|error/im)
    send.close()
    await Promise.all(guesses)
  })

  it('that send nothing, 1,000 of them, do not block other requests', async () => {
    const { origin, port } = await listening()
    const sockets = await openConnections(port, 1000)
    expect(await settingAt(origin)).toMatchObject({ success: true })
    expect(sockets.filter((socket) => !socket.destroyed)).toHaveLength(1000)
  })

  it('that send their body byte by byte, 300 of them, do not block other requests and time out', async () => {
    const { origin, port } = await listening(2000)
    const head = `POST /api/v1/login HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: 1000\r\n\r\n{`
    const sockets = await openConnections(port, 300)
    const ends = sockets.map((socket) => readAll(socket))
    for (const socket of sockets) socket.write(head)
    expect(await settingAt(origin)).toMatchObject({ success: true })
    const slowWriter = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ')
    }, 50)
    onTestFinished(() => clearInterval(slowWriter))
    for (const text of await Promise.all(ends)) expect(text).toMatch(/^(HTTP\/1.1 408 |$)/)
    expect(await settingAt(origin)).toMatchObject({ success: true })
  })
})

describe('a body', () => {
  it('without end is refused, and other requests are answered', async () => {
    const { origin, port } = await listening()
    const reply = new Promise<number | undefined>((resolve) => {
      const endless = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/v1/login' }, (response) => {
        resolve(response.statusCode)
        endless.destroy()
      })
      endless.on('error', () => resolve(undefined))
      const chunk = 'x'.repeat(64 * 1024)
      const more = () => {
        while (!endless.destroyed && endless.write(chunk));
        endless.once('drain', more)
      }
      more()
    })
    expect(await reply).toBe(413)
    expect(await settingAt(origin)).toMatchObject({ success: true })
  })
})

async function readAll(socket: Socket): Promise<string> {
  // The server may close while bytes are still written to it: a reset is an end too, and `once` would reject on it.
  socket.on('error', () => {})
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await new Promise((resolve) => socket.on('close', resolve))
  return Buffer.concat(chunks).toString()
}
