import { connect, createServer, Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openSocket } from '../../../server/outbound/dial.ts'
import { receiver } from '../../support/fakes/receiver.ts'

/** A port that answers no connection, as behind a slow or broken way, until `answer` is called. */
async function silentPort(address: string) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(
    `const { parentPort, workerData: { gate, address } } = require('node:worker_threads')
    const server = require('node:net').createServer((socket) => socket.on('error', () => {}))
    server.listen({ port: 0, host: address, backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      Atomics.wait(gate, 0, 0)
    })`,
    { eval: true, workerData: { gate, address } },
  )
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  function answer(): void {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  // The system makes connections by itself until this many wait to be taken.
  const waiting: Socket[] = []
  for (let made = true; made; ) {
    const socket = connect({ port, host: address }).on('error', () => {})
    waiting.push(socket)
    made = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.setTimeout(500, () => resolve(false))
    })
  }
  onTestFinished(async () => {
    answer()
    for (const socket of waiting) socket.destroy()
    await worker.terminate()
  })
  return { port, answer }
}

const signal = () => AbortSignal.timeout(50_000)

describe('a name with several addresses', () => {
  it('of which the first ones answer nothing is reached by the one that does', async () => {
    const { port } = await silentPort('127.0.0.3')
    const server = createServer().listen(port, '127.0.0.4')
    onTestFinished(() => void server.close())
    const hanging = Array.from({ length: 9 }, () => '127.0.0.3')
    const socket = await openSocket(['127.0.0.3', ...hanging, '127.0.0.4'], port, signal())
    expect(socket.remoteAddress).toBe('127.0.0.4')
    socket.destroy()
  })

  it('of which only the first is there is reached by a slow way to it', async () => {
    const { port, answer } = await silentPort('127.0.0.3')
    const reached = openSocket(['127.0.0.3', '127.0.0.5'], port, signal())
    await setImmediate()
    answer()
    const socket = await reached
    expect(socket.remoteAddress).toBe('127.0.0.3')
    socket.destroy()
  })

  it('of which none is there fails as the first one that can be reached', async () => {
    const { origin } = await receiver()
    const port = Number(new URL(origin).port)
    // Here is no way to the first.
    const failed = openSocket(['255.255.255.255', '127.0.0.3', '127.0.0.5'], port, signal())
    await expect(failed).rejects.toMatchObject({ code: 'ECONNREFUSED', address: '127.0.0.3' })
  })

  it('is reached by its other kind of address, however many there are of one kind', async () => {
    const { port } = await silentPort('127.0.0.3')
    const server = createServer().listen(port, '::1')
    onTestFinished(() => void server.close())
    const hanging = Array.from({ length: 100 }, () => '127.0.0.3')
    const socket = await openSocket(['127.0.0.3', ...hanging, '::1'], port, signal())
    expect(socket.remoteAddress).toBe('::1')
    socket.destroy()
  })

  it('gets no more than a few attempts, however many addresses its owner has entered', async () => {
    const { origin, close } = await receiver()
    const port = Number(new URL(origin).port)
    close()
    const many = Array.from({ length: 3000 }, (_, index) => `127.1.${index >> 8}.${index & 255}`)
    const begun = vi.spyOn(Socket.prototype, 'connect')
    onTestFinished(() => begun.mockRestore())
    await expect(openSocket(['127.0.0.3', ...many], port, signal())).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(begun).toHaveBeenCalledTimes(16)
  })

  it('is not waited for after the deadline', async () => {
    const { port } = await silentPort('127.0.0.3')
    const ended = new AbortController()
    const failed = openSocket(['127.0.0.3', '127.0.0.3'], port, ended.signal)
    ended.abort(new Error('too late'))
    await expect(failed).rejects.toThrow('too late')
  })
})
