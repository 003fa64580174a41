import { connect } from 'node:http2'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { handleInTurn } from '../../../../server/agents/callInTurn.ts'
import { frameMessage } from '../../../../server/agents/grpc/messageReader.ts'
import { startGrpcServer } from '../../../support/agent/startGrpcServer.ts'

it('an agent’s stream is stopped only when more comes while a report waits for its turn, and nothing is lost', async () => {
  const waiting: (() => void)[] = []
  const takeTurns = () => {
    for (const work of waiting.splice(0)) work()
  }
  const received: number[] = []
  const { port, errors } = await startGrpcServer((call) => {
    const work = {
      add: (one: () => void) => void waiting.push(one),
      count: () => waiting.length,
      waitedMs: () => 0,
      close() {},
    }
    const onError = (error: unknown) => void errors.push(error)
    handleInTurn(call, { work, onError }, (inTurn) => {
      inTurn.onMessage((bytes) => void received.push(bytes.length))
      inTurn.onHalfClose(() => inTurn.end())
    })
    takeTurns()
  })
  const session = connect(`http://127.0.0.1:${port}`)
  onTestFinished(() => session.destroy())
  const headers = { ':method': 'POST', ':path': '/a/B', 'content-type': 'application/grpc' }
  const stream = session.request(headers)
  const hasEnded = new Promise((resolve) => stream.once('response', resolve))
  const stops = vi.spyOn(Readable.prototype, 'pause')
  onTestFinished(() => stops.mockRestore())
  const send = (bytes: number) => void stream.write(frameMessage(Buffer.alloc(bytes)))

  send(1000)
  await expect.poll(() => waiting.length).toBe(1)
  takeTurns()
  expect(received).toEqual([1000])
  expect(stops).not.toHaveBeenCalled()

  for (const bytes of [1001, 1002, 1003]) send(bytes)
  stream.end()
  await expect.poll(() => stops.mock.calls.length).toBeGreaterThan(0)
  expect(waiting).toHaveLength(1)
  await vi.waitFor(() => {
    takeTurns()
    expect(received).toEqual([1000, 1001, 1002, 1003])
  })
  await vi.waitFor(async () => {
    takeTurns()
    expect(await Promise.race([hasEnded, undefined])).toMatchObject({ 'grpc-status': '0' })
  })
  expect(errors).toEqual([])
})
