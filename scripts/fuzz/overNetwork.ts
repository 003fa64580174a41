import { Agent, type IncomingMessage, request } from 'node:http'
import type { FuzzReply } from './checkReply.ts'
import type { Send } from './clients.ts'

/** Milliseconds. A server that needs longer for one request has stopped. */
const patienceMs = 30_000

/**
 * Sends requests over sockets. Where the system has only one loopback address, as macOS, all come from there.
 * @param origin `http://127.0.0.1:<port>`
 */
export function overNetwork(origin: string): Send & { close(): void } {
  const { port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 64 })
  const localAddress = (address: string) => (process.platform === 'linux' ? address : undefined)

  const send: Send = ({ method, path, headers, body }, address) =>
    new Promise((resolve, reject) => {
      const given = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          agent,
          localAddress: localAddress(address),
          headers: { host: `127.0.0.1:${port}`, ...given, ...headers },
        },
        (reply) => readReply(reply).then(resolve, reject),
      )
      outgoing.setTimeout(patienceMs, () =>
        outgoing.destroy(new Error(`${method} ${path}: no reply in ${patienceMs} ms`)),
      )
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return Object.assign(send, { close: () => agent.destroy() })
}

async function readReply(reply: IncomingMessage): Promise<FuzzReply> {
  const chunks: Buffer[] = []
  for await (const chunk of reply) chunks.push(chunk as Buffer)
  return {
    status: reply.statusCode ?? 0,
    type: reply.headers['content-type'] ?? '',
    text: Buffer.concat(chunks).toString('utf8'),
    cookies: reply.headers['set-cookie'] ?? [],
  }
}
