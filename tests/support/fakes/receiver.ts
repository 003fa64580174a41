import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { selfSigned } from '../server/certificates/selfSigned.ts'

/** A request that the receiver got. */
export interface ReceivedRequest {
  method?: string
  url?: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * A web server on this machine that records all requests, as the target of notifiers, webhooks and checks.
 * @param answer ends the reply, or leaves it open. Default: 200
 * @param place `isTls`: with a certificate that nobody trusts; `address`: another one of this machine
 */
export async function createReceiver(
  answer: (reply: ServerResponse, received: ReceivedRequest) => void = (reply) => reply.end(),
  { isTls = false, address = '127.0.0.1' } = {},
) {
  const deliveries: ReceivedRequest[] = []
  const listener: RequestListener = async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const received = { method: request.method, url: request.url, headers: request.headers, body }
    deliveries.push(received)
    answer(reply, received)
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

/** A receiver that closes after the test. */
export async function receiver(...options: Parameters<typeof createReceiver>) {
  const created = await createReceiver(...options)
  onTestFinished(created.close)
  return created
}
