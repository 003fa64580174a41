import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { buildGateway, type GatewayServices } from '../../../server/gateway/gateway.ts'
import type { Upstream } from '../../../server/gateway/upstream.ts'
import { closedPort } from '../fakes/rawServer.ts'
import { selfSigned } from './certificates/selfSigned.ts'
import { temporaryFolder } from './temporaryFolder.ts'

/** A server that is made up by a test, on a port of its own. */
export interface FakeUpstream {
  url: URL
  server: Server
  /** Every request that came, sockets included. */
  asked: IncomingMessage[]
}

export interface GatewayUnderTest {
  /** `http://127.0.0.1:<port>` */
  address: string
  /** The lines of the operator's log. */
  logged: string[]
}

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Starts one that answers by `answer`; with TLS it shows a certificate that it signed itself. */
export async function fakeUpstream(answer: RequestListener, { tls = false } = {}): Promise<FakeUpstream> {
  const asked: IncomingMessage[] = []
  const server = tls ? createTlsServer(selfSigned) : createServer()
  server.on('request', (request, response) => {
    asked.push(request)
    answer(request, response)
  })
  server.on('upgrade', (request) => asked.push(request))
  const port = await listening(server)
  return { url: new URL(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`), server, asked }
}

/** Starts a gateway in front of `url`; it ends with the test. */
export async function startGateway(
  url: URL,
  {
    settings,
    dist = temporaryFolder(),
    now,
    bodyPace,
    replyLimits,
    ...upstream
  }: Partial<Omit<Upstream, 'url'> & GatewayServices> = {},
): Promise<GatewayUnderTest> {
  const logged: string[] = []
  const note = (text: string, cause?: unknown) => void logged.push(cause === undefined ? text : `${text} ${cause}`)
  const app = await buildGateway({
    upstream: { url, timeoutMs: 5000, ...upstream },
    log: { warn: note, error: note },
    settings: { host: '127.0.0.1', ...settings },
    dist,
    now,
    bodyPace,
    replyLimits,
  })
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { address: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, logged }
}

/** An address on this machine where nobody listens. */
export const unusedAddress = async () => new URL(`http://127.0.0.1:${await closedPort()}`)
