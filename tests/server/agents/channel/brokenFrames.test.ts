import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { pathOf } from '../../../support/agent/agentMessages.ts'
import { startAgentServer, testUuid } from '../../../support/agent/agentServer.ts'
import { clientStart, flags, frame, frameTypes, headerBlock } from '../../../support/agent/http2Frames.ts'

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
    expect(await server.calls().unary('ReportSystemInfo2', { platform: 'debian' }, 5000)).toMatchObject({
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
