import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { GrpcCall } from '../../../server/agents/grpc/grpcCall.ts'
import { stateMessage } from '../../../server/agents/grpc/nezhaService.ts'
import { createPassedCall } from '../../../server/agents/nodes/passedCall.ts'
import { cluster } from '../../support/agent/followerInFront.ts'
import {
  clientStart,
  createFrameReader,
  flags,
  frame,
  frameTypes,
  headerBlock,
} from '../../support/agent/http2Frames.ts'

const plainRequest = { ':method': 'GET', ':scheme': 'http', ':path': '/api/v1/setting', ':authority': 'x' }

/** A stranger who makes a request over HTTP/2, and keeps the connection. */
async function stranger(port: number, headers: Record<string, string> = {}) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const seen: number[] = []
  socket.on(
    'data',
    createFrameReader(({ type, stream }) => stream === 1 && seen.push(type)),
  )
  await once(socket, 'connect')
  const begin = flags.endHeaders | flags.endStream
  socket.write(
    Buffer.concat([clientStart, frame(frameTypes.headers, begin, 1, headerBlock({ ...plainRequest, ...headers }))]),
  )
  return { socket, seen }
}

it.each([
  ['http2-settings', 'x'],
  ['te', 'Trailers'],
])(
  'a stranger whose request has the header %s: %s, which no client may send, ends the request and not the follower',
  async (name, value) => {
    const { follower, leader, atFollower } = await cluster()
    const { seen } = await stranger(follower.port, { [name]: value })
    await expect.poll(() => seen).toContain(frameTypes.reset)
    await leader.agent(atFollower)
  },
)

it('a stranger whose connection the leader has ended has none at the follower either', async () => {
  const { follower, network } = await cluster()
  const { socket, seen } = await stranger(follower.port)
  await expect.poll(() => seen).toContain(frameTypes.headers)
  network.cut('refused')
  // Without calls, it would be ended after a minute in any case.
  await expect.poll(() => socket.destroyed, { timeout: 40_000 }).toBe(true)
})

it('what waited for a leader that is gone goes on with the next one', () => {
  const receipts = vi.fn()
  const read: string[] = []
  let onMessage = (_: Uint8Array) => {}
  const call: GrpcCall = {
    metadata: {},
    connection: {
      address: '127.0.0.1',
      port: 1,
      memory: { take: () => true, giveBack() {} },
      authenticated() {},
      onClose() {},
    },
    onMessage(listener) {
      onMessage = listener
    },
    countIn() {},
    onHalfClose() {},
    onClose() {},
    send: () => receipts() ?? true,
    onDrain() {},
    pendingBytes: () => 0,
    pause: () => void read.push('pause'),
    resume: () => void read.push('resume'),
    unreadBytes: () => 0,
    end() {},
    isLost: () => false,
  }
  const link = {
    isOpen: () => true,
    isCut: () => false,
    isFull: () => true,
    isOverfull: () => false,
    send() {},
    close() {},
  }
  const parts = { id: 1, call, link, connection: 2, onFacts() {}, onFull() {} }
  const memory = call.connection.memory

  const reports = createPassedCall({ ...parts, name: 'ReportSystemState' })
  reports.accept(0, memory)
  onMessage(stateMessage.encode({ cpu: 1 }))
  expect(receipts).not.toHaveBeenCalled()
  reports.lose()
  expect(receipts).toHaveBeenCalledOnce()

  const tasks = createPassedCall({ ...parts, name: 'RequestTask' })
  tasks.accept(1000, memory)
  onMessage(new Uint8Array(10))
  expect(read.at(-1)).toBe('pause')
  tasks.lose()
  expect(read.at(-1)).toBe('resume')
})
