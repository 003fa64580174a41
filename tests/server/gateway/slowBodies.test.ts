import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fakeUpstream, startGateway } from '../../support/server/gatewayServer.ts'

/** A gateway that wants a thousand bytes in 800 ms, and what came through it. */
async function fixture() {
  const received: { bytes: number; isWhole: boolean }[] = []
  const { url } = await fakeUpstream((request, response) => {
    const body = { bytes: 0, isWhole: false }
    received.push(body)
    request.on('data', (chunk: Buffer) => {
      body.bytes += chunk.length
    })
    request.on('error', () => {})
    request.on('end', () => {
      body.isWhole = true
      response.end('{"success":true}')
    })
  })
  const gateway = await startGateway(url, { bodyPace: { bytes: 1000, everyMs: 800 } })
  const socket = connect(Number(new URL(gateway.address).port), '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  let reply = ''
  let isClosed = false
  socket.on('data', (bytes) => {
    reply += bytes
  })
  socket.on('close', () => {
    isClosed = true
  })
  const head = (length: number) =>
    `POST /api/v1/file HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: text/plain\r\ncontent-length: ${length}\r\n\r\n`
  return { ...gateway, received, socket, head, reply: () => reply, isClosed: () => isClosed }
}

it('the gateway ends an upload that only trickles, and does not blame the server behind it', async () => {
  const { socket, head, received, isClosed, logged, address } = await fixture()
  socket.write(head(100_000))
  const trickle = setInterval(() => socket.write('x'), 20)
  onTestFinished(() => clearInterval(trickle))
  // What is written after the end may bring an error first.
  await expect.poll(isClosed).toBe(true)
  expect(received).toMatchObject([{ isWhole: false }])
  expect(logged).toEqual([])
  expect((await fetch(`${address}/api/v1/file`, { method: 'POST', body: 'x' })).status).toBe(200)
})

it('the gateway lets an upload of any length go on while it comes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { socket, head, received, reply } = await fixture()
  socket.write(head(24_000))
  for (let bytes = 2000; bytes <= 24_000; bytes += 2000) {
    socket.write('x'.repeat(2000))
    await expect.poll(() => received[0]?.bytes).toBe(bytes)
    // What comes with the head is not counted.
    if (bytes > 2000) vi.advanceTimersByTime(800)
  }
  await expect.poll(reply).toContain('{"success":true}')
  expect(received).toEqual([{ bytes: 24_000, isWhole: true }])
})
