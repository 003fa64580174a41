import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that a notifier's target got. */
export interface Delivery {
  method?: string
  url?: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * A web server on this machine that writes down what it is told.
 * @param answer ends the reply, or leaves it open. Default: 200
 */
export async function createReceiver(
  answer: (reply: ServerResponse, delivery: Delivery) => void = (reply) => reply.end(),
) {
  const deliveries: Delivery[] = []
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const delivery = { method: request.method, url: request.url, headers: request.headers, body }
    deliveries.push(delivery)
    answer(reply, delivery)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    deliveries,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
