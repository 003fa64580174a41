import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { dialFromHere } from '../../../server/outbound/dial.ts'
import { guardedRequest } from '../../../server/outbound/guardedRequest.ts'
import { holdDeadlines } from '../../support/fakes/heldDeadlines.ts'
import { startRawServer } from '../../support/fakes/rawServer.ts'
import { receiver } from '../../support/fakes/receiver.ts'

const get = (url: string) => ({ url, method: 'GET', headers: () => ({}), verifyTls: false }) as const
const options = { allowPrivate: true, timeoutMs: 500, maxBodyBytes: 1000 }
/** For what is over before any deadline. */
const patient = { ...options, timeoutMs: 60_000 }

/** The reply to an upgrade that nobody asked for. */
const switchProtocols = (reply: ServerResponse) =>
  reply.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end()

/** A target that speaks by `onConnection` instead of HTTP. */
async function rawTarget(
  onConnection: (socket: Socket) => void,
): Promise<{ origin: string; open: ReadonlySet<Socket> }> {
  const { port, open } = await startRawServer(onConnection)
  return { origin: `http://127.0.0.1:${port}`, open }
}

describe('a request to a target', () => {
  it.each([
    ['by http', false],
    ['by https', true],
  ])('that switches protocols without being asked has the reply 101 (%s)', async (_, isTls) => {
    const { origin } = await receiver(switchProtocols, { isTls })
    const reply = await guardedRequest(get(origin), patient)
    expect(reply).toMatchObject({ code: 101, text: '101 Switching Protocols', body: '' })
    expect(Boolean(reply.certificate)).toBe(isTls)
  })

  it('that switches protocols after a redirect has the reply 101, and the connection is closed', async () => {
    const { origin, open } = await rawTarget((socket) =>
      socket.once('data', () => socket.write('HTTP/1.1 101 Other\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nendless')),
    )
    const first = await receiver((reply) => reply.writeHead(302, { location: origin }).end())
    expect(await guardedRequest(get(first.origin), patient)).toMatchObject({ code: 101, body: '' })
    await vi.waitFor(() => expect(open.size).toBe(0))
  })

  it('that closes the connection without a reply fails at once', async () => {
    const { origin } = await rawTarget((socket) => socket.once('data', () => socket.end()))
    await expect(guardedRequest(get(origin), patient)).rejects.toThrow('the connection was closed without a reply')
  })

  it.each([
    ['sends the head of its reply letter by letter', 'HTTP/1.1 200 OK\r\nx-long: '],
    ['sends one 103 after the other', ''],
  ])('that %s fails at the deadline', async (_, beginning) => {
    const { origin, open } = await rawTarget((socket) => {
      socket.write(beginning)
      const timer = setInterval(() => socket.write(beginning ? 'x' : 'HTTP/1.1 103 Early Hints\r\n\r\n'), 20)
      socket.once('close', () => clearInterval(timer))
    })
    await expect(guardedRequest(get(origin), options)).rejects.toThrow('context deadline exceeded')
    await vi.waitFor(() => expect(open.size).toBe(0))
  })

  it('that sends its body letter by letter has, at the deadline, the reply as far as it came', async () => {
    const deadlines = holdDeadlines()
    const head = 'HTTP/1.1 500 Broken\r\ncontent-length: 900\r\n\r\n'
    const { origin, open } = await rawTarget((socket) => {
      socket.write(head)
      const timer = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => clearInterval(timer))
    })
    const dial = vi.fn(dialFromHere(options))
    const reply = guardedRequest(get(origin), { ...options, dial })
    await vi.waitFor(async () => {
      const dialed = await dial.mock.results[0]?.value
      expect(dialed?.stream).toHaveProperty(
        'bytesRead',
        expect.toSatisfy((read) => read >= head.length + 5),
      )
    })
    deadlines.pass()
    expect(await reply).toMatchObject({ code: 500, body: expect.stringMatching(/^x{5,100}$/) })
    await vi.waitFor(() => expect(open.size).toBe(0))
  })

  it('that breaks off in the middle of a TLS handshake or of its body settles as well', async () => {
    const { origin } = await rawTarget((socket) => socket.once('data', () => socket.destroy()))
    await expect(guardedRequest(get(origin.replace('http:', 'https:')), patient)).rejects.toThrow(/^(?!.*deadline)/)
    const half = await receiver((reply) => {
      reply.writeHead(200, { 'content-length': '900' }).write('begun')
      void wait(50).then(() => reply.destroy())
    })
    expect(await guardedRequest(get(half.origin), patient)).toMatchObject({ code: 200, body: 'begun' })
  })
})
