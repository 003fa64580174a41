import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyServerFactory } from 'fastify'
import type { Nat } from '../nat/nat.ts'
import { wantsTunnel } from '../nat/openTunnel.ts'

/**
 * The server in front of the app: requests by forwarded names never reach it.
 * @param patienceMs for the head of a request to arrive and, where it is the console's, for the whole of it: what is
 *   sent to a service may be of any size
 */
export const frontOf =
  (nat: Nat, patienceMs: number): FastifyServerFactory =>
  (takeIn, { keepAliveTimeout }) => {
    const options: ServerOptions = {
      // Node looks for late ones at intervals only.
      ...{ connectionsCheckingInterval: patienceMs / 2, headersTimeout: patienceMs, requestTimeout: 0 },
      keepAliveTimeout: Number(keepAliveTimeout),
      shouldUpgradeCallback: (request) => wantsTunnel(request) || !nat.isForwarded(request),
    }
    const server = createServer(options, (request, response) => {
      if (nat.isForwarded(request)) return void nat.handleRequest(request, response)
      hurry(server, request, response, patienceMs)
      takeIn(request, response)
    })
    return server
  }

/** Ends a request whose body does not arrive in time, so that slow ones cannot take all places. */
function hurry(server: Server, request: IncomingMessage, response: ServerResponse, patienceMs: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (coding === undefined && Number(length) === 0) return
  const timer = setTimeout(() => {
    if (response.headersSent) request.socket.destroy()
    else server.emit('clientError', late(), request.socket)
  }, patienceMs)
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}

/** What Node itself would say. */
const late = () => Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** The same for sockets. To be called when all who take upgrades are there. */
export function leadSocketsPast(app: FastifyInstance, nat: Nat): void {
  const { server } = app
  const others = server.listeners('upgrade')
  server.removeAllListeners('upgrade')
  server.on('upgrade', (request, socket, head) => {
    if (nat.isForwarded(request)) return void nat.handleUpgrade(request, socket, head)
    for (const listener of others) listener.call(server, request, socket, head)
  })
  app.addHook('preClose', async () => nat.stop())
}
