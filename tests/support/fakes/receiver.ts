import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { selfSigned } from '../server/selfSigned.ts'

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
 * @param place `isTls`: with a certificate that nobody trusts; `address`: another one of this machine
 */
export async function createReceiver(
  answer: (reply: ServerResponse, delivery: Delivery) => void = (reply) => reply.end(),
  { isTls = false, address = '127.0.0.1' } = {},
) {
  const deliveries: Delivery[] = []
  const listener: RequestListener = async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const delivery = { method: request.method, url: request.url, headers: request.headers, body }
    deliveries.push(delivery)
    answer(reply, delivery)
  }
  const server = isTls ? createTlsServer(selfSigned, listener) : createServer(listener)
  await new Promise<void>((listening) => server.listen(0, address, listening))
  const { port } = server.address() as AddressInfo
  return {
    origin: `${isTls ? 'https' : 'http'}://${address}:${port}`,
    deliveries,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** One that closes when the test is over. */
export async function receiver(...given: Parameters<typeof createReceiver>) {
  const made = await createReceiver(...given)
  onTestFinished(made.close)
  return made
}
