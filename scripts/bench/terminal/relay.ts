import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import proxy from '@fastify/http-proxy'
import fastify from 'fastify'

/**
 * Stands in front of the embedded server and behaves as a Nezha server does towards the browser, in a thread of its own:
 * announces no extensions, and takes as much output from a shell as comes, whatever the browser has read. Says its
 * address to the parent.
 */
const upstream = workerData as string
const app = fastify()
await app.register(proxy, { upstream, prefix: '/', websocket: true })
app.get('/api/v1/setting', async (request) => {
  const { cookie = '' } = request.headers
  const reply = await fetch(`${upstream}/api/v1/setting`, { headers: { cookie } })
  const { data, ...rest } = (await reply.json()) as { data: Record<string, unknown> }
  return { ...rest, data: { ...data, wheelhouse: undefined } }
})
await app.listen({ host: '127.0.0.1', port: 0 })
parentPort?.postMessage(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
