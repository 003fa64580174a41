import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, type ServerHttp2Stream } from 'node:http2'
import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { GrpcCall } from '../../../../server/agents/grpc/grpcCall.ts'
import { frameMessage } from '../../../../server/agents/grpc/messageReader.ts'
import { clientStart, frame, frameTypes } from '../../../support/agent/http2Frames.ts'
import { startGrpcServer } from '../../../support/agent/startGrpcServer.ts'

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

/** So that what has its time has all of it, however long the connections of the test take. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

it('a connection that does not prove who it is in time is ended, and one that does stays', async () => {
  holdTimers()
  const { port } = await startGrpcServer(
    (call) => {
      if (call.metadata.secret === 'right') call.connection.authenticated()
      call.end()
    },
    { authenticationMs: 1000 },
  )
  const silent = client(port)
  const wrong = client(port)
  const right = client(port)
  await accepted(silent)
  expect(await statusOf(call(wrong, { secret: 'wrong' }))).toBe('0')
  expect(await statusOf(call(right, { secret: 'right' }))).toBe('0')
  const ended = Promise.all([closed(silent), closed(wrong)])
  // The client has not ended its call: the connection is not waited for any longer then.
  await vi.advanceTimersByTimeAsync(10_000)
  await ended
  expect(await statusOf(call(right, { secret: 'right' }))).toBe('0')
})

it.each(['at once', 'after its turn'])('a client that ends its side without a message is answered %s', async (when) => {
  const { port } = await startGrpcServer(async (call) => {
    call.connection.authenticated()
    // Its end arrives meanwhile; no event of the call says so.
    if (when === 'after its turn') await wait(100)
    call.onMessage(() => {})
    call.onHalfClose(() => call.end())
  })
  const stream = call(client(port))
  const status = statusOf(stream)
  stream.end()
  expect(await status).toBe('0')
})

const accepted = (session: ClientHttp2Session) =>
  new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()))

it('connections that have not proved who they are are limited for each address; others wait until one has', async () => {
  const { port } = await startGrpcServer((call) => call.connection.authenticated(), { unauthenticatedPerAddress: 2 })
  const first = [client(port), client(port)]
  await Promise.all(first.map(accepted))
  const waiting = [client(port), client(port), client(port)]
  const settled = waiting.map(() => false)
  const all = waiting.map((session, index) =>
    accepted(session).then(() => {
      settled[index] = true
    }),
  )
  await wait(100)
  expect(settled).toEqual([false, false, false])
  call(first[0] as ClientHttp2Session)
  await all[0]
  // A connection that is lost gives its place back as well.
  first[1]?.destroy()
  await all[1]
  expect(settled).toEqual([true, true, false])
})

it('connections that wait in vain are ended when those that are accepted would be', async () => {
  holdTimers()
  const limits = { unauthenticatedPerAddress: 1, waiting: 1, authenticationMs: 1000 }
  const { port } = await startGrpcServer(() => {}, limits)
  const silent = client(port)
  await accepted(silent)
  const waiting = client(port)
  await wait(50)
  await closed(client(port))
  expect(silent.destroyed).toBe(false)
  const ended = Promise.all([closed(silent), closed(waiting)])
  await vi.advanceTimersByTimeAsync(1000)
  await ended
})

it('a connection without calls is ended after a while', async () => {
  const { port } = await startGrpcServer(
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

it('a connection with requests that are no calls stays as long as there are some, and is ended when idle', async () => {
  holdTimers()
  const streams: ServerHttp2Stream[] = []
  const { port } = await startGrpcServer(
    () => {},
    { authenticationMs: 800, idleMs: 100 },
    (stream) => {
      streams.push(stream)
      stream.resume()
    },
  )
  const session = client(port)
  const page = session.request({ ':path': '/' })
  page.resume()
  await expect.poll(() => streams).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1000)
  await new Promise<void>((answered) => session.ping(() => answered()))
  expect(session.destroyed).toBe(false)
  streams[0]?.respond({ ':status': 200 }, { endStream: true })
  await once(page, 'close')
  // Time goes on while it waits.
  await vi.waitFor(() => expect(session.destroyed).toBe(true))
})

it('a call that the client does not end on its side is closed all the same', async () => {
  const { port } = await startGrpcServer((call) => call.end())
  const stream = call(client(port))
  holdTimers()
  const ended = new Promise((resolve) => stream.once('close', resolve))
  expect(await statusOf(stream)).toBe('0')
  await vi.advanceTimersByTimeAsync(5000)
  await ended
  expect(stream.rstCode).toBe(0)
})

it('what waits for a client that reads nothing is given up when the call has ended', async () => {
  const { port } = await startGrpcServer((call) => {
    call.send(Buffer.alloc(100_000))
    call.end()
  })
  const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 1000 } })
  onTestFinished(() => session.destroy())
  holdTimers()
  const stream = call(session)
  stream.pause()
  const closing = new Promise((resolve) => stream.once('close', resolve))
  await new Promise((resolve) => stream.once('response', resolve))
  await vi.advanceTimersByTimeAsync(10_000)
  await closing
  const cancelled = 8
  expect(stream.rstCode).toBe(cancelled)
})

it('messages arrive whole, whatever the pieces; one that is too long ends the call with status 8', async () => {
  const received: number[] = []
  const { port } = await startGrpcServer((call) => call.onMessage(({ length }) => received.push(length)), {
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

it('long messages that do not arrive whole take only so much memory of a connection, and give it back', async () => {
  const { port } = await startGrpcServer((call) => call.onMessage(() => {}), { connectionBytes: 300_000 })
  const session = client(port)
  const half = frameMessage(Buffer.alloc(200_000)).subarray(0, 150_000)
  const [first, second] = [call(session), call(session)]
  first.write(half)
  await new Promise<void>((resolve) => session.ping(() => resolve()))
  second.write(half)
  expect(await statusOf(second)).toBe('8')
  const small = call(session)
  small.end(frameMessage(Buffer.alloc(100)))
  first.close(8)
  const third = call(session)
  third.write(half)
  await new Promise<void>((resolve) => session.ping(() => resolve()))
  expect(third.closed).toBe(false)
})

it('a call that is paused gets no further message, also of those that came together, and all when it goes on', async () => {
  const received: string[] = []
  let resume = () => {}
  let hasEnded = false
  const { port } = await startGrpcServer((call) => {
    call.onMessage((message) => {
      received.push(String(message))
      call.pause()
    })
    call.onHalfClose(() => {
      hasEnded = true
      call.end()
    })
    resume = () => call.resume()
  })
  const stream = call(client(port))
  stream.end(Buffer.concat(['a', 'b', 'c'].map((text) => frameMessage(Buffer.from(text)))))
  for (const expected of ['a', 'ab', 'abc']) {
    await vi.waitFor(() => expect(received.join('')).toBe(expected))
    await wait(20)
    expect([received.join(''), hasEnded]).toEqual([expected, false])
    resume()
  }
  await vi.waitFor(() => expect(hasEnded).toBe(true))
})

it.each([
  ['a compressed message', Buffer.from([1, 0, 0, 0, 1, 7]), '13'],
  ['half a message', Buffer.from([0, 0, 0, 0, 9, 7]), '13'],
])('%s ends the call with an error', async (_title, bytes, code) => {
  const { port } = await startGrpcServer((call) => call.onMessage(() => {}))
  const stream = call(client(port))
  const status = statusOf(stream)
  stream.end(bytes)
  expect(await status).toBe(code)
})

it('what a client sends right before it resets a call is not lost, also while nobody reads', async () => {
  const received: string[] = []
  let isClosed = false
  const { port } = await startGrpcServer((call) => {
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
  const { port, errors } = await startGrpcServer((call) =>
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
  const { port } = await startGrpcServer((call) => {
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

it('a connection that pings and reads nothing is ended in time', async () => {
  const { port } = await startGrpcServer(() => {}, { authenticationMs: 300 })
  const socket = connectTcp(port, '127.0.0.1')
  socket.on('error', () => {})
  const end = closed(socket)
  socket.write(clientStart)
  const pings = Buffer.concat(Array.from({ length: 10_000 }, () => frame(frameTypes.ping, 0, 0, Buffer.alloc(8))))
  // More than the system takes when the server has stopped reading.
  for (let sent = 0; sent < 500; sent++) socket.write(pings)
  await end
})

it('who waits for the end of a connection is told when it has ended before their call was handled', async () => {
  const calls: GrpcCall[] = []
  const { port } = await startGrpcServer((call) => calls.push(call))
  const session = client(port)
  call(session)
  const [handled] = await vi.waitFor(() => {
    expect(calls).toHaveLength(1)
    return calls
  })
  const ended: string[] = []
  handled?.connection.onClose(() => ended.push('while it was open'))
  session.destroy()
  await vi.waitFor(() => expect(ended).toHaveLength(1))
  handled?.connection.onClose(() => ended.push('after it'))
  expect(ended).toEqual(['while it was open', 'after it'])
})
