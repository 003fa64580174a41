import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import proxy from '@fastify/http-proxy'
import fastify from 'fastify'
import { WebSocket, WebSocketServer } from 'ws'

/** Bytes of a frame of output: what an agent reads from a shell at once (docs/contract/recordings). */
const frameBytes = 4095

/**
 * Stands in front of the embedded server and behaves as a Nezha server does towards the browser, in a thread of its own:
 * announces no extensions, passes a shell's output on in the small frames of an agent, and takes as much of it as comes,
 * whatever the browser has read. Says its address to the parent.
 */
const upstream = workerData as string
const app = fastify()
await app.register(proxy, {
  upstream,
  prefix: '/',
  // The origin of a page is compared with it.
  replyOptions: { rewriteRequestHeaders: ({ headers: { host } }, headers) => ({ ...headers, host }) },
})
app.get('/api/v1/setting', async (request) => {
  const { cookie = '' } = request.headers
  const reply = await fetch(`${upstream}/api/v1/setting`, { headers: { cookie } })
  const { data, ...rest } = (await reply.json()) as { data: Record<string, unknown> }
  return { ...rest, data: { ...data, wheelhouse: undefined } }
})
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
  if (request.url?.includes('/ws/terminal/'))
    sockets.handleUpgrade(request, socket, head, (client) => relay(client, request))
  else pass(request, socket, head)
})
await app.listen({ host: '127.0.0.1', port: 0 })
parentPort?.postMessage(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)

function relay(client: WebSocket, { url, headers: { cookie = '' } }: IncomingMessage): void {
  const server = new WebSocket(`${upstream.replace('http', 'ws')}${url}`, {
    headers: { cookie },
    perMessageDeflate: false,
  })
  client.pause()
  server.on('open', () => client.resume())
  client.on('message', (data: Buffer, isBinary) => server.send(data, { binary: isBinary }))
  server.on('message', (data: Buffer) => {
    for (let at = 0; at < data.length; at += frameBytes)
      client.send(data.subarray(at, at + frameBytes), { binary: true })
  })
  client.on('close', () => server.terminate())
  server.on('close', () => client.terminate())
  server.on('error', () => client.terminate())
}

/** Byte by byte, as it is. */
function pass({ method, url, rawHeaders }: IncomingMessage, socket: Socket, head: Buffer): void {
  const server = connect(Number(new URL(upstream).port), '127.0.0.1')
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []))
  server.write(`${[`${method} ${url} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`)
  server.write(head)
  server.pipe(socket).pipe(server)
  server.on('error', () => socket.destroy())
  socket.on('error', () => server.destroy())
}
