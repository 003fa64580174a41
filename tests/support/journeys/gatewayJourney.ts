import { createServer, type IncomingMessage, request as passOn } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { serveConsole } from '../recorded/consoleFolder.ts'
import { spawnServer } from '../server/process/spawnServer.ts'
import { test as journey } from './journey.ts'

/** A journey through a gateway, with the embedded server behind it. */
export const throughGateway = journey.extend({
  serverName: 'behind a gateway',
  server: async ({ server }, use) => {
    const gateway = await spawnServer({ UPSTREAM: server.address })
    try {
      if (!gateway.address) throw new Error(`The gateway did not start:\n${gateway.output()}`)
      await use({ ...server, address: gateway.address, output: () => server.output() + gateway.output() })
    } finally {
      gateway.kill('SIGTERM')
      await gateway.ended
    }
  },
})

/** What was handed out below /dashboard so far, in bytes of the bodies. */
type Served = { path: string; status: number; bytes: number }[]

/**
 * A journey to a server that hands out the build as its own admin pages, as Nezha does; the API is the embedded one's.
 */
export const droppedIn = journey.extend<{ served: Served }>({
  serverName: 'dropped in',
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from it
  served: ({}, use) => use([]),
  server: async ({ server, served }, use) => {
    const front = createServer((asked, answer) => {
      const path = asked.url?.split('?')[0] ?? ''
      if (!/^\/dashboard(\/|$)/.test(path)) {
        forward(asked, server.address)
          .on('response', (reply) => {
            answer.writeHead(reply.statusCode ?? 502, reply.headers)
            reply.pipe(answer)
          })
          .on('error', () => answer.destroy())
        return
      }
      const { status, type, bytes } = serveConsole(path)
      served.push({ path, status, bytes: bytes.length })
      answer.writeHead(status, { 'content-type': type, 'content-length': bytes.length }).end(bytes)
    })
    front.on('upgrade', (asked, client: Socket, head) => {
      client.on('error', () => {})
      forward(asked, server.address).on('upgrade', (reply, target, first) => {
        const lines = reply.rawHeaders.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`))
        client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
        client.write(first)
        target.write(head)
        target.on('error', () => client.destroy()).pipe(client)
        client.pipe(target)
      })
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    await use({ ...server, address: `http://127.0.0.1:${(front.address() as AddressInfo).port}` })
    front.closeAllConnections()
    front.close()
  },
})

/** Sends a request on as it came. */
function forward(asked: IncomingMessage, address: string) {
  const request = passOn(address + asked.url, { method: asked.method, headers: asked.headers })
  asked.pipe(request)
  return request
}
