import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createLiveViewer } from '../../../server/machines/live/liveViewer.ts'

const MiB = 2 ** 20

/** A viewer at the other end of a real connection. */
async function connect() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [[socket]] = await Promise.all([once(server, 'connection'), once(client, 'open')])
  onTestFinished(() => {
    client.terminate()
    server.close()
  })
  return { client, socket: socket as WebSocket, viewer: createLiveViewer(socket) }
}

/** A frame of this size, and how many viewers hold it. */
function frameOf(size: number) {
  let holders = 0
  const hold = () => {
    holders++
    return () => void holders--
  }
  return { bytes: Buffer.alloc(size, 'x'), append: () => {}, hold, holders: () => holders }
}

/** More than a connection takes in when nobody reads at its other end. */
const large = 64 * MiB

it('gets no frame while the last one is on its way, and then the next', async () => {
  const { client, socket, viewer } = await connect()
  const received: number[] = []
  client.on('message', (data: Buffer) => received.push(data.length))
  client.pause()
  const frame = frameOf(large)
  expect(viewer.send(frame)).toBe(true)
  await vi.waitFor(() => expect(socket.bufferedAmount).toBeGreaterThan(0))
  for (let tick = 0; tick < 10; tick++) expect(viewer.send(frameOf(1))).toBe(false)
  expect(socket.bufferedAmount).toBeLessThan(large + MiB)
  expect(frame.holders()).toBe(1)
  client.resume()
  await vi.waitFor(() => expect(frame.holders()).toBe(0))
  await vi.waitFor(() => expect(viewer.send(frameOf(2))).toBe(true))
  await vi.waitFor(() => expect(received).toEqual([large, 2]))
  // What was skipped before counts no longer.
  client.pause()
  viewer.send(frameOf(large))
  for (let tick = 0; tick < 10; tick++) viewer.send(frameOf(1))
  expect(socket.readyState).toBe(WebSocket.OPEN)
})

it('is ended after fifteen frames that it did not get, which frees the memory of the last', async () => {
  const { client, socket, viewer } = await connect()
  client.pause()
  const ended = once(socket, 'close')
  const frame = frameOf(large)
  viewer.send(frame)
  for (let tick = 0; tick < 14; tick++) viewer.send(frameOf(1))
  expect(socket.readyState).toBe(WebSocket.OPEN)
  viewer.send(frameOf(1))
  await ended
  await vi.waitFor(() => expect(frame.holders()).toBe(0))
  expect(viewer.send(frameOf(1))).toBe(false)
})
