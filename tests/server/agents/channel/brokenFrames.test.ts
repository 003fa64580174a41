import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { pathOf } from '../../../support/agent/agentMessages.ts'
import { startAgentServer, testUuid } from '../../../support/agent/agentServer.ts'
import { clientStart, flags, frame, frameTypes, headerBlock } from '../../../support/agent/http2Frames.ts'
import { forwardedName, startNatServer } from '../../../support/server/natServer.ts'
import { startServerProcess } from '../../../support/server/process/serverProcess.ts'
import { temporaryFolder } from '../../../support/server/temporaryFolder.ts'

const headers = {
  ':method': 'POST',
  ':scheme': 'http',
  ':path': pathOf('RequestTask'),
  ':authority': '127.0.0.1',
  'content-type': 'application/grpc',
  te: 'trailers',
}
const callWith = (metadata: Record<string, string>) =>
  frame(frameTypes.headers, flags.endHeaders, 1, headerBlock({ ...headers, ...metadata }))
const call = callWith({})
const bytes = (...values: number[]) => Buffer.from(values)

const afterACall: readonly (readonly [string, Buffer])[] = [
  ['data on no stream', frame(frameTypes.data, 0, 0, bytes(1, 2, 3))],
  ['headers on a stream of the server', frame(frameTypes.headers, flags.endHeaders, 2, bytes(0))],
  ['headers that cannot be read', frame(frameTypes.headers, flags.endHeaders, 3, bytes(0xff, 0xff, 0xff, 0xff))],
  ['settings of a wrong length', frame(frameTypes.settings, 0, 0, bytes(1, 2, 3))],
  ['a ping of a wrong length', frame(frameTypes.ping, 0, 0, bytes(1))],
  ['a window of zero', frame(8, 0, 1, bytes(0, 0, 0, 0))],
  ['a reset of a stream that is not there', frame(frameTypes.reset, 0, 99, bytes(0, 0, 0, 0))],
]

it.each(afterACall)(
  'a stranger who begins a call and goes on with %s does not end the server',
  async (_what, broken) => {
    const server = await startAgentServer()
    for (const parts of [[clientStart, call, broken], [clientStart, call], [broken]]) {
      const socket = connect(server.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.resume()
      socket.write(Buffer.concat(parts))
      await new Promise((resolve) => setTimeout(resolve, 60))
      socket.destroy()
    }
    expect(await server.calls().unary('ReportSystemInfo2', { platform: 'debian' })).toMatchObject({
      data: expect.any(Number),
    })
  },
)

it('the connection of an agent that ends it in the middle of a call is closed at once, and keeps no file descriptor', async () => {
  const server = await startAgentServer()
  const metadata = { 'client-secret': server.secretOf(1), 'client-uuid': testUuid }
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  socket.resume()
  socket.write(Buffer.concat([clientStart, callWith(metadata)]))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const closed = once(socket, 'end', { signal: AbortSignal.timeout(15_000) })
  socket.end()
  await closed
  socket.destroy()
})

const get = { ':method': 'GET', ':scheme': 'http', ':path': '/api/v1/setting', ':authority': '127.0.0.1' }
const post = { ...get, ':method': 'POST', ':path': '/api/v1/login' }
const unknownCall = { ...headers, ':path': '/proto.NezhaService/Unknown' }
const wrongSecret = { ...headers, 'client-secret': 'wrong', 'client-uuid': testUuid }

/** Bytes of a frame that resets a stream. */
const resetBytes = 13

/** A request whose body has not ended, and its reset, which names no error. */
const resetRequest = (stream: number, head: Readonly<Record<string, string>>) =>
  Buffer.concat([
    frame(frameTypes.headers, flags.endHeaders, stream, headerBlock(head)),
    frame(frameTypes.reset, 0, stream, bytes(0, 0, 0, 0)),
  ])

const resetHeads: readonly Readonly<Record<string, string>>[] = [
  // Refused before any route: two host names, a forwarded one, none.
  { ...get, host: 'a' },
  { ...get, ':authority': forwardedName },
  { ':method': 'GET', ':scheme': 'http', ':path': '/' },
  // Answered by routes, with a body to be read and without.
  get,
  post,
  { ...post, ':path': '/api/v1/nothing' },
  { ...get, ':method': 'X' },
  // Answered by Node itself.
  { ...post, expect: '100-continue' },
  { ...post, expect: 'a miracle' },
  // Calls of agents.
  unknownCall,
  headers,
  wrongSecret,
]

/** What has ended nothing only because the tests listen. */
function uncaughtErrors(): unknown[] {
  const errors: unknown[] = []
  const collect = (error: unknown) => void errors.push(error)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, collect)
    onTestFinished(() => void process.off(event, collect))
  }
  return errors
}

/** Sends each part when the one before has been read, and waits until the server has answered a ping behind all. */
async function sendInParts(port: number, parts: readonly Buffer[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunk.includes('answered') && resolve())
    socket.on('close', () => resolve())
  })
  await once(socket, 'connect')
  for (const part of parts) {
    socket.write(part)
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.write(frame(frameTypes.ping, 0, 0, Buffer.from('answered')))
  await answered
  socket.destroy()
}

it('a stranger who resets requests without an error does not end the server, whatever they ask for and when', async () => {
  const errors = uncaughtErrors()
  const limits = { perKey: 1, total: 10, waiting: 0 }
  const servers = [
    await startAgentServer(),
    await startNatServer({ target: 9, requestTimeoutMs: 50 }),
    await startAgentServer({ connectionLimits: limits }),
    await startAgentServer({ connectionLimits: { ...limits, waiting: 10, waitMs: 20 } }),
  ]
  for (const head of resetHeads) {
    const reset = resetRequest(1, head)
    const [request, rest] = [reset.subarray(0, -resetBytes), reset.subarray(-resetBytes)]
    for (const { port } of servers) {
      await sendInParts(port, [Buffer.concat([clientStart, reset])])
      await sendInParts(port, [clientStart, request, rest])
      await sendInParts(port, [clientStart, Buffer.concat([request, frame(frameTypes.data, 0, 1, bytes(1)), rest])])
      // Beyond the limit of an address, where it has one.
      await sendInParts(port, [Buffer.concat([clientStart, reset, resetRequest(3, head), resetRequest(5, head)])])
    }
    expect(errors, JSON.stringify(head)).toEqual([])
  }
  for (const { port } of servers) expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBeLessThan(500)
})

it('one packet of less than 130 bytes from a stranger does not end the process', async () => {
  const server = await startServerProcess({ DATA_DIR: temporaryFolder() })
  const { port } = new URL(server.address)
  const twoNames = resetRequest(1, { ':method': 'GET', ':scheme': 'http', ':path': '/', ':authority': 'a', host: 'b' })
  const packet = Buffer.concat([clientStart.subarray(0, 24), frame(frameTypes.settings, 0, 0, bytes()), twoNames])
  expect(packet.length).toBeLessThan(130)
  await sendInParts(Number(port), [packet])
  await sendInParts(Number(port), [Buffer.concat([clientStart, resetRequest(1, unknownCall)])])
  expect((await fetch(`${server.address}/api/v1/setting`)).status).toBe(200)
  expect(server.output()).not.toContain('Error')
})
