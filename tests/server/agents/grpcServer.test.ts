import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { GrpcCall } from '../../../server/agents/grpc/grpcCall.ts'
import { createGrpcServer, type GrpcLimits } from '../../../server/agents/grpc/grpcServer.ts'
import { grpcCodes } from '../../../server/agents/grpc/grpcStatus.ts'
import { frameMessage } from '../../../server/agents/grpc/messageReader.ts'

/** A server with one method. */
async function serving(handler: (call: GrpcCall) => void, limits: Partial<GrpcLimits> = {}) {
  const errors: unknown[] = []
  const grpc = createGrpcServer({
    methods: new Map([['/a/B', handler]]),
    onError: (error) => errors.push(error),
    limits,
  })
  const server = createServer(grpc.accept)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    grpc.close({ code: grpcCodes.unavailable, details: '' })
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { grpc, port, errors }
}

function client(port: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`)
  session.on('error', () => {})
  onTestFinished(() => session.destroy())
  return session
}

function call(session: ClientHttp2Session, headers: Record<string, string> = {}): ClientHttp2Stream {
  const stream = session.request({ ':method': 'POST', ':path': '/a/B', 'content-type': 'application/grpc', ...headers })
  stream.on('error', () => {})
  stream.resume()
  return stream
}

/** The status of a call, from its headers or trailers. */
function statusOf(stream: ClientHttp2Stream): Promise<string | undefined> {
  return new Promise((resolve) => {
    for (const event of ['response', 'trailers'])
      stream.on(event, (headers) => headers['grpc-status'] && resolve(headers['grpc-status']))
    stream.on('close', () => resolve(undefined))
  })
}

const closed = (socket: Socket | ClientHttp2Session) =>
  new Promise<void>((resolve) => (socket as Socket).once('close', () => resolve()))

it('a connection that does not prove who it is in time is ended, and one that does stays', async () => {
  const { port } = await serving(
    (call) => {
      if (call.metadata.secret === 'right') call.connection.authenticated()
      call.end()
    },
    { authenticationMs: 200 },
  )
  const silent = client(port)
  const wrong = client(port)
  const right = client(port)
  expect(await statusOf(call(wrong, { secret: 'wrong' }))).toBe('0')
  expect(await statusOf(call(right, { secret: 'right' }))).toBe('0')
  await Promise.all([closed(silent), closed(wrong)])
  await wait(100)
  expect(right.destroyed).toBe(false)
})

it('connections that have not proved who they are are limited for each address', async () => {
  const { port } = await serving((call) => call.connection.authenticated(), { unauthenticatedPerAddress: 2 })
  const first = [client(port), client(port)]
  await Promise.all(first.map((session) => new Promise((resolve) => session.once('remoteSettings', resolve))))
  await closed(client(port))
  call(first[0] as ClientHttp2Session)
  await vi.waitFor(async () => {
    const next = client(port)
    await new Promise((resolve, reject) => {
      next.once('remoteSettings', resolve)
      next.once('close', () => reject(new Error('refused')))
    })
  })
})

it('a connection without calls is ended after a while', async () => {
  const { port } = await serving(
    (call) => {
      call.connection.authenticated()
      call.end()
    },
    { idleMs: 100 },
  )
  const session = client(port)
  const stream = call(session)
  stream.end()
  await statusOf(stream)
  await closed(session)
})

it('a call that the client does not end on its side is closed all the same', async () => {
  const { port } = await serving((call) => call.end())
  const stream = call(client(port))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ended = new Promise((resolve) => stream.once('close', resolve))
  expect(await statusOf(stream)).toBe('0')
  await vi.advanceTimersByTimeAsync(5000)
  await ended
  expect(stream.rstCode).toBe(0)
})

it('messages arrive whole, whatever the pieces; one that is too long ends the call with status 8', async () => {
  const received: number[] = []
  const { port } = await serving((call) => call.onMessage(({ length }) => received.push(length)), {
    messageBytes: 200_000,
  })
  const stream = call(client(port))
  const bytes = Buffer.concat([0, 1, 65_536, 200_000].map((length) => frameMessage(Buffer.alloc(length))))
  for (let at = 0; at < bytes.length; at += 7_919) stream.write(bytes.subarray(at, at + 7_919))
  await vi.waitFor(() => expect(received).toEqual([0, 1, 65_536, 200_000]))
  const status = statusOf(stream)
  stream.write(frameMessage(Buffer.alloc(200_001)).subarray(0, 5))
  expect(await status).toBe('8')
})

it.each([
  ['a compressed message', Buffer.from([1, 0, 0, 0, 1, 7]), '13'],
  ['half a message', Buffer.from([0, 0, 0, 0, 9, 7]), '13'],
])('%s ends the call with an error', async (_title, bytes, code) => {
  const { port } = await serving((call) => call.onMessage(() => {}))
  const stream = call(client(port))
  const status = statusOf(stream)
  stream.end(bytes)
  expect(await status).toBe(code)
})

it('what a client sends right before it resets a call is not lost, also while nobody reads', async () => {
  const received: string[] = []
  let isClosed = false
  const { port } = await serving((call) => {
    call.onMessage((message) => {
      received.push(String(message))
      call.pause()
    })
    call.onClose(() => {
      isClosed = true
    })
  })
  const stream = call(client(port))
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`)
  stream.write(frameMessage(Buffer.from(lines[0] as string)))
  await vi.waitFor(() => expect(received).toHaveLength(1))
  for (const line of lines.slice(1)) stream.write(frameMessage(Buffer.from(line)))
  await wait(50)
  stream.close(8)
  await vi.waitFor(() => expect(isClosed).toBe(true))
  expect(received).toEqual(lines)
})

it('an error of the server ends the call and is logged; requests that are no calls are answered', async () => {
  const { port, errors } = await serving((call) =>
    call.onMessage(() => {
      throw new Error('a bug')
    }),
  )
  const session = client(port)
  const stream = call(session)
  const status = statusOf(stream)
  stream.write(frameMessage(Buffer.from('x')))
  expect(await status).toBe('13')
  expect(errors).toMatchObject([{ message: 'a bug' }])
  expect(await statusOf(call(session, { ':path': '/a/Other' }))).toBe('12')
  const page = session.request({ ':path': '/' })
  expect(await new Promise((resolve) => page.once('response', (headers) => resolve(headers[':status'])))).toBe(415)
})

it('broken frames end their connection and nothing else', async () => {
  const { port } = await serving((call) => {
    call.connection.authenticated()
    call.end()
  })
  const socket = connectTcp(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  socket.write(Buffer.alloc(500, 0xee))
  socket.resume()
  await closed(socket)
  expect(await statusOf(call(client(port)))).toBe('0')
})
