import { type ClientHttp2Stream, connect } from 'node:http2'
import { expect, it, onTestFinished, vi } from 'vitest'
import { frameMessage } from '../../../server/agents/grpc/messageReader.ts'
import { encodeMessage } from '../../support/agent/agentMessages.ts'
import { startAgentServer } from '../../support/agent/agentServer.ts'

const MiB = 1024 * 1024

it('long messages that never arrive whole are refused when those of a secret take 256 MiB, and its reports go on', async () => {
  const server = await startAgentServer()
  const statuses: (string | undefined)[] = []

  function connection() {
    const session = connect(`http://127.0.0.1:${server.port}`, { maxSessionMemory: 1000 })
    session.on('error', () => {})
    onTestFinished(() => session.destroy())
    return session
  }

  function open(session: ReturnType<typeof connection>, method: string, index: number): ClientHttp2Stream {
    const stream = session.request({
      ':method': 'POST',
      ':path': `/proto.NezhaService/${method}`,
      'content-type': 'application/grpc',
      client_secret: server.secretOf(1),
      client_uuid: `${String(index).padStart(8, '0')}-1234-4234-8234-123456789abc`,
    })
    stream.on('error', () => {})
    stream.resume()
    return stream
  }

  const good = open(connection(), 'ReportSystemState', 1000)
  let receipts = 0
  good.on('data', () => {
    receipts++
  })
  const report = () => good.write(frameMessage(encodeMessage('State', { cpu: 1 })))
  report()
  await vi.waitFor(() => expect(receipts).toBe(1))
  const reports = setInterval(report, 1000)
  onTestFinished(() => clearInterval(reports))

  const half = frameMessage(Buffer.alloc(15 * MiB)).subarray(0, 14 * MiB)
  let sent = 0
  for (let count = 0; count < 11; count++) {
    const session = connection()
    for (let at = 0; at < 2; at++) {
      const stream = open(session, 'RequestTask', count * 2 + at)
      const take = (headers: Record<string, unknown>) => {
        if (headers['grpc-status'] !== undefined) statuses.push(String(headers['grpc-status']))
      }
      stream.on('response', take)
      stream.on('trailers', take)
      stream.write(half, () => sent++)
    }
  }
  await vi.waitFor(() => expect(sent).toBe(22))
  // Each takes 15 MiB, and 17 of them fit.
  await vi.waitFor(() => expect(statuses).toEqual(Array.from({ length: 5 }, () => '8')))
  const [receiptsThen, isOver] = [receipts, good.closed]
  await vi.waitFor(() => expect(receipts).toBeGreaterThan(receiptsThen + 1))
  expect(isOver).toBe(false)
})
