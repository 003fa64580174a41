import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { refusalOf } from '../../support/server/fixtures/terminalConnection.ts'
import { fakeUpstream, startGateway, unusedAddress } from '../../support/server/gatewayServer.ts'

const path = '/api/v1/ws/server'
const MiB = 1024 * 1024

/** A gateway before a server whose sockets do as `onSocket` says. */
async function behindGateway(onSocket: (socket: WebSocket) => void) {
  const upstream = await fakeUpstream((_, response) => response.end('{"error":"permission denied"}'))
  const sockets = new WebSocketServer({ server: upstream.server, path, perMessageDeflate: true })
  sockets.on('connection', onSocket)
  const { address } = await startGateway(upstream.url)
  return { ...upstream, address, socketAddress: address.replace('http', 'ws') + path }
}

async function open(address: string, headers = {}): Promise<WebSocket> {
  const socket = new WebSocket(address, { headers })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

describe('a socket through the gateway', () => {
  it('carries messages both ways, compressed if both ends agree, with the origin of the upstream', async () => {
    const { url, address, socketAddress, asked } = await behindGateway((socket) => {
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
    })
    const socket = await open(socketAddress, { origin: address, cookie: 'nz-jwt=t', 'x-real-ip': '6.6.6.6' })
    expect(socket.extensions).toContain('permessage-deflate')
    socket.send('words')
    expect(await once(socket, 'message')).toEqual([Buffer.from('words'), false])
    socket.send(Buffer.alloc(3 * MiB, 7))
    expect(await once(socket, 'message')).toEqual([Buffer.alloc(3 * MiB, 7), true])
    expect(asked[0]?.headers).toMatchObject({
      host: url.host,
      origin: url.origin,
      cookie: 'nz-jwt=t',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-for': '127.0.0.1',
    })
  })

  it('is for a path of this server: with another address in its place it never reaches the upstream', async () => {
    const { address, asked } = await behindGateway((socket) => socket.close())
    const { host, hostname, port } = new URL(address)
    const statusOf = async (target: string) => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nSec-WebSocket-Version: 13\r\n`
      socket.write(
        `${head}Sec-WebSocket-Key: ${btoa('0123456789abcdef')}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      )
      const [data] = (await once(socket, 'data')) as [Buffer]
      socket.destroy()
      return Number(String(data).split(' ')[1])
    }
    for (const target of [
      'http://evil.example',
      'HTTP://evil.example',
      address,
      '//evil.example',
      '/\\evil.example',
      '*',
    ]) {
      expect([target, await statusOf(target === '*' ? target : target + path)]).toEqual([target, 400])
    }
    // Nor does one for the console, which is this server's own, in any spelling that its router takes for it.
    for (const target of ['/dashboard', '/dashboard/x', '/%64ashboard/x', '/x/../dashboard/x', '/x/%2e%2e/dashboard']) {
      expect([target, await statusOf(target)]).toEqual([target, 404])
    }
    expect(asked).toEqual([])
    expect(await statusOf(path)).toBe(101)
  })

  it('ends as it ended at the upstream: without a close frame, or with one', async () => {
    const { socketAddress } = await behindGateway((socket) => {
      socket.on('message', (data) => {
        if (String(data) === 'break') socket.terminate()
        else socket.close(1009, 'too long')
      })
    })
    const broken = await open(socketAddress)
    broken.send('break')
    expect((await once(broken, 'close'))[0]).toBe(1006)
    const closed = await open(socketAddress)
    closed.send('close')
    expect(String(await once(closed, 'close'))).toBe('1009,too long')
  })

  it('delivers the last message before it breaks off', async () => {
    const { socketAddress } = await behindGateway((socket) => {
      for (let part = 0; part < 32; part++) socket.send(Buffer.alloc(MiB, part))
      socket.send('the end', () => socket.terminate())
    })
    const socket = new WebSocket(socketAddress)
    onTestFinished(() => socket.terminate())
    const received: number[] = []
    socket.on('message', (data) => received.push((data as Buffer).length))
    expect((await once(socket, 'close'))[0]).toBe(1006)
    expect(received).toEqual([...Array(32).fill(MiB), 'the end'.length])
  })

  it('is closed at the upstream when the browser closes it', async () => {
    let left: Promise<number> | undefined
    const { socketAddress } = await behindGateway((socket) => {
      left = once(socket, 'close').then(([code]) => code as number)
    })
    const socket = await open(socketAddress)
    socket.terminate()
    expect(await left).toBe(1006)
  })

  it('that is not read slows down the sender, and does not fill the memory of the gateway', async () => {
    let writer: WebSocket | undefined
    const { socketAddress } = await behindGateway((socket) => {
      writer = socket
      for (let part = 0; part < 64; part++) socket.send(Buffer.alloc(MiB, part), { compress: false })
    })
    const socket = await open(socketAddress)
    let received = 0
    socket.on('message', (data) => {
      received += (data as Buffer).length
    })
    socket.pause()
    // What the two systems and the gateway hold is a small part; the rest waits where it was written.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(writer?.bufferedAmount).toBeGreaterThan(32 * MiB)
    socket.resume()
    await vi.waitFor(() => expect(received).toBe(64 * MiB))
  })

  it('is refused to a page of another origin, for foreign host names, and below /dashboard', async () => {
    const { socketAddress, address, asked } = await behindGateway(() => {})
    const forbidden = { status: 403, text: 'Forbidden\n' }
    expect(await refusalOf(socketAddress, { origin: 'https://evil.example' })).toMatchObject(forbidden)
    expect(await refusalOf(socketAddress, { host: 'evil.example' })).toMatchObject(forbidden)
    expect(await refusalOf(`${address.replace('http', 'ws')}/dashboard/ws`, {})).toMatchObject({ status: 404 })
    expect(asked).toEqual([])
  })

  it('is refused as the upstream refuses it', async () => {
    const refusing = await fakeUpstream((_, response) => response.end())
    refusing.server.removeAllListeners('upgrade')
    refusing.server.on('upgrade', (_request, socket) => {
      socket.end(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 29\r\n\r\n{"error":"permission denied"}',
      )
    })
    const { address } = await startGateway(refusing.url)
    expect(await refusalOf(address.replace('http', 'ws') + path, {})).toEqual({
      status: 200,
      type: 'application/json',
      text: '{"error":"permission denied"}',
    })
  })

  it('is refused with a message, which is logged too, while the upstream is down or slow', async () => {
    const down = await unusedAddress()
    const gateway = await startGateway(down)
    const words = `The server at ${down.origin} refuses connections: start it, or correct UPSTREAM.`
    expect(await refusalOf(gateway.address.replace('http', 'ws') + path, {})).toMatchObject({
      status: 502,
      text: JSON.stringify({ error: words }),
    })
    expect(gateway.logged).toEqual([words])
    const silent = await fakeUpstream(() => {})
    const { address } = await startGateway(silent.url, { timeoutMs: 300 })
    expect(await refusalOf(address.replace('http', 'ws') + path, {})).toMatchObject({ status: 504 })
  })
})
