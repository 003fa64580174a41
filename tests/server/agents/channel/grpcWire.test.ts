import { connect } from 'node:net'
import { ChannelCredentials, Client, Metadata, type ServiceError } from '@grpc/grpc-js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { GrpcCall } from '../../../../server/agents/grpc/grpcCall.ts'
import { grpcCodes } from '../../../../server/agents/grpc/grpcStatus.ts'
import {
  clientStart,
  createFrameReader,
  type Frame,
  flags,
  frame,
  frameTypes,
  headerBlock,
  messageFrame,
} from '../../../support/agent/http2Frames.ts'
import { startGrpcServer } from '../../../support/agent/startGrpcServer.ts'

/** A connection that writes frames itself, and keeps those that come. */
function rawClient(port: number) {
  const frames: Frame[] = []
  const socket = connect(port, '127.0.0.1')
  let hasEnded = false
  socket.on('error', () => {})
  socket.on('close', () => {
    hasEnded = true
  })
  socket.on(
    'data',
    createFrameReader((received) => {
      frames.push({ ...received, payload: Buffer.from(received.payload) })
      const isSetting = received.type === frameTypes.settings && received.flag === 0
      if (isSetting) socket.write(frame(frameTypes.settings, flags.ack, 0, Buffer.alloc(0)))
    }),
  )
  onTestFinished(() => void socket.destroy())
  socket.write(clientStart)
  const ofType = (type: number) => frames.filter((received) => received.type === type)
  return {
    frames,
    ofType,
    hasEnded: () => hasEnded,
    write: (bytes: Buffer) => void socket.write(bytes),
    /** Opens a stream with the headers of grpc-go, and `headers`. */
    open(stream: number, headers: Record<string, string> = {}) {
      const block = headerBlock({
        ':method': 'POST',
        ':scheme': 'http',
        ':path': '/a/B',
        ':authority': 'agents.test:8008',
        'content-type': 'application/grpc',
        'user-agent': 'grpc-go/1.83.0',
        te: 'trailers',
        ...headers,
      })
      socket.write(frame(frameTypes.headers, flags.endHeaders, stream, block))
    },
  }
}

const settingIds = { enablePush: 2, maxStreams: 3, window: 4, frameSize: 5, headerListSize: 6 } as const

function settingsOf({ payload }: Frame): Map<number, number> {
  const entries = Array.from({ length: payload.length / 6 }, (_, index) => index * 6)
  return new Map(entries.map((at) => [payload.readUInt16BE(at), payload.readUInt32BE(at + 2)]))
}

describe('what agents see of HTTP/2', () => {
  it('begins with settings as the first frame: grpc-go leaves when anything else comes first', async () => {
    const { port } = await startGrpcServer(() => {})
    const client = rawClient(port)
    await vi.waitFor(() => expect(client.ofType(frameTypes.settings)).toHaveLength(2))
    const [first] = client.frames as [Frame]
    expect(first).toMatchObject({ type: frameTypes.settings, flag: 0, stream: 0 })
    const settings = settingsOf(first)
    expect(settings.get(settingIds.maxStreams)).toBe(250)
    expect(settings.get(settingIds.window)).toBe(1024 * 1024)
    expect(settings.get(settingIds.headerListSize)).toBe(16 * 1024)
    expect(settings.get(settingIds.enablePush) ?? 0).toBe(0)
    // The acknowledgement of its own.
    expect(client.ofType(frameTypes.settings)[1]).toMatchObject({ flag: flags.ack, payload: Buffer.alloc(0) })
  })

  it('answers each ping with its own bytes, while calls go on', async () => {
    const { port } = await startGrpcServer((call) => call.onMessage((message) => void call.send(message)))
    const client = rawClient(port)
    client.open(1)
    for (let round = 0; round < 20; round++) {
      client.write(messageFrame(1, Buffer.from([round])))
      client.write(frame(frameTypes.ping, 0, 0, Buffer.from([1, 2, 3, 4, 5, 6, 7, round])))
    }
    await vi.waitFor(() => expect(client.ofType(frameTypes.ping)).toHaveLength(20))
    for (const [round, { flag, payload }] of client.ofType(frameTypes.ping).entries()) {
      expect(flag).toBe(flags.ack)
      expect([...payload]).toEqual([1, 2, 3, 4, 5, 6, 7, round])
    }
    const answered = () => client.ofType(frameTypes.data).reduce((sum, { payload }) => sum + payload.length, 0)
    // An echo is five bytes and its message; several may travel in one frame.
    await vi.waitFor(() => expect(answered()).toBe(20 * 6))
  })

  it('gives room again for what it has read, and none on a stream that is paused', async () => {
    let paused: GrpcCall | undefined
    const { port } = await startGrpcServer((call) => {
      call.onMessage(() => {})
      if (call.metadata.paused) paused = call
    })
    const client = rawClient(port)
    client.open(1)
    client.open(3, { paused: '1' })
    await vi.waitFor(() => expect(client.ofType(frameTypes.settings)).toHaveLength(2))
    await vi.waitFor(() => expect(paused).toBeDefined())
    paused?.pause()
    const windowUpdate = 8
    const chunk = Buffer.alloc(16_379)
    for (let sent = 0; sent < 60; sent++) for (const stream of [1, 3]) client.write(messageFrame(stream, chunk))
    await vi.waitFor(() => expect(client.ofType(windowUpdate).some(({ stream }) => stream === 1)).toBe(true))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(client.ofType(windowUpdate).some(({ stream }) => stream === 3)).toBe(false)
  })

  it('refuses a call in one frame of headers, which ends the stream', async () => {
    const { port } = await startGrpcServer((call) => call.end({ code: 16, details: 'wrong: 100 %' }))
    const client = rawClient(port)
    client.open(1)
    await vi.waitFor(() => expect(client.ofType(frameTypes.headers)).toHaveLength(1))
    const [refusal] = client.ofType(frameTypes.headers)
    expect(refusal?.flag).toBe(flags.endStream | flags.endHeaders)
    expect(client.ofType(frameTypes.data)).toEqual([])
  })

  it('refuses the stream beyond the limit alone, with a code after which the client may try again', async () => {
    const { port } = await startGrpcServer((call) => call.onMessage(() => {}), { callsPerConnection: 3 })
    const client = rawClient(port)
    for (const stream of [1, 3, 5, 7]) client.open(stream)
    await vi.waitFor(() => expect(client.ofType(frameTypes.reset)).toHaveLength(1))
    const refusedStream = 7
    expect(client.ofType(frameTypes.reset)[0]).toMatchObject({ stream: 7 })
    expect(client.ofType(frameTypes.reset)[0]?.payload.readUInt32BE()).toBe(refusedStream)
    expect(client.hasEnded()).toBe(false)
  })

  it('ends its calls, then says that it goes away, then closes when it stops', async () => {
    const { port, grpc } = await startGrpcServer((call) => call.onMessage((message) => void call.send(message)))
    const client = rawClient(port)
    client.open(1)
    client.write(messageFrame(1, Buffer.from('x')))
    await vi.waitFor(() => expect(client.ofType(frameTypes.data)).toHaveLength(1))
    grpc.close({ code: grpcCodes.unavailable, details: 'the server is shutting down' })
    await vi.waitFor(() => expect(client.hasEnded()).toBe(true))
    const [, trailers] = client.ofType(frameTypes.headers)
    expect(trailers?.flag).toBe(flags.endStream | flags.endHeaders)
    const [goAway] = client.ofType(frameTypes.goAway)
    // No error, and the last stream that was answered.
    expect(goAway?.payload.readUInt32BE(0)).toBe(1)
    expect(goAway?.payload.readUInt32BE(4)).toBe(0)
  })
})

describe('a client of gRPC that we did not write', () => {
  const bytes = (message: Buffer) => message

  function clientOf(port: number, options: Record<string, number> = {}) {
    const client = new Client(`127.0.0.1:${port}`, ChannelCredentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_retries': 0,
      ...options,
    })
    onTestFinished(() => client.close())
    /** @param deadlineMs from the moment at which it is connected */
    return async (message: Buffer, deadlineMs = 60_000) => {
      await new Promise((resolve) => client.waitForReady(Number.POSITIVE_INFINITY, resolve))
      return new Promise<Buffer | ServiceError>((resolve) => {
        const deadline = Date.now() + deadlineMs
        client.makeUnaryRequest('/a/B', bytes, bytes, message, new Metadata(), { deadline }, (error, reply) =>
          resolve(error ?? (reply as Buffer)),
        )
      })
    }
  }

  it('that compresses gets the status that the protocol has for it', async () => {
    const { port, errors } = await startGrpcServer((call) => call.onMessage((message) => void call.send(message)))
    const call = clientOf(port, { 'grpc.default_compression_algorithm': 2 })
    expect(await call(Buffer.alloc(5000))).toMatchObject({
      code: grpcCodes.unimplemented,
      details: 'compressed messages are not supported',
    })
    expect(errors).toEqual([])
  })

  it('that ends at its deadline leaves no call behind', async () => {
    let closed = 0
    const { port } = await startGrpcServer((call) => {
      call.onMessage(() => {})
      call.onClose(() => closed++)
    })
    const deadlineExceeded = 4
    expect(await clientOf(port)(Buffer.from('x'), 1000)).toMatchObject({ code: deadlineExceeded })
    await vi.waitFor(() => expect(closed).toBe(1))
  })

  it('gets messages of megabytes both ways', async () => {
    const { port } = await startGrpcServer((call) =>
      call.onMessage((message) => {
        call.send(message)
        call.end()
      }),
    )
    const large = Buffer.alloc(4 * 1024 * 1024 - 64, 'wheelhouse')
    const call = clientOf(port, { 'grpc.max_send_message_length': -1 })
    expect(large.equals((await call(large)) as Buffer)).toBe(true)
  })
})
