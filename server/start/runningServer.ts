import { type AddressInfo, createServer, type Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorCode, errorMessage } from '../../src/domain/errors.ts'
import { type Log, StartError } from '../log.ts'
import { isLoopback, type Settings } from '../settings.ts'

export interface StartOptions {
  settings: Settings
  log: Log
  version: string
  /** Folder of the built console. */
  dist: string
  /** Whether a person sees what is printed. */
  isTerminal: boolean
}

/** What a start gives back, with a database or as a gateway. */
export interface RunningServer {
  /** Where this machine's browser finds it. */
  address: string
  /** What the operator must know to sign in for the first time. */
  firstUser: string | undefined
  /** Where an error that ends the process is written down; `undefined` where nothing is kept. */
  traceFile: string | undefined
  /** Milliseconds that its end takes at most. Default: four seconds. */
  shutdownMs?: number
  stop(): Promise<void>
}

type ListenAddress = Pick<Settings, 'host' | 'port'>

/**
 * Tries to listen before anything else is touched.
 * @throws StartError when we cannot listen there
 */
export async function assertPortFree({ host, port }: ListenAddress): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host, port }, resolve)
    })
  } catch (error) {
    throw listenError({ host, port }, error)
  } finally {
    await new Promise((resolve) => probe.close(resolve))
  }
}

/** Explains to the operator why listening failed. */
function listenError({ host, port }: ListenAddress, error: unknown): StartError {
  const message = errorMessage(error)
  const sentence = () => {
    switch (errorCode(error)) {
      case 'EADDRINUSE':
        return `Port ${port} on ${host} is in use: stop the other program, or set PORT to another number (0 takes any free one).`
      case 'EACCES':
        return `Port ${port} is not open to this user: set PORT to a number from 1024 on.`
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        return `HOST is ${host}, which is no address of this machine: set it to one that is, or to 127.0.0.1.`
      default:
        return `Listening on ${host}, port ${port}, is not possible (${message}): set HOST and PORT to others.`
    }
  }
  return new StartError(sentence(), { cause: error })
}

/**
 * Connections that the system keeps until they are accepted; it may have a lower limit of its own. After a restart
 * thousands of agents come at once, and each that finds no room tries again after seconds only.
 */
const backlog = 4096

/**
 * Listens; closes the app when that fails.
 * @param inPlaceOf a server that listens there, whose place this one takes without refusing anybody in between
 * @throws StartError with the reason, or the error of what is made before
 */
export async function listen(app: FastifyInstance, { host, port }: ListenAddress, inPlaceOf?: Server): Promise<void> {
  // Fastify knows of addresses alone; Node takes over what another server listens on.
  const { server } = app
  const { listen: listenAt } = server
  if (inPlaceOf) Object.assign(server, { listen: () => Reflect.apply(listenAt, server, [inPlaceOf, backlog]) })
  let isMade = false
  try {
    await app.ready()
    isMade = true
    await app.listen({ host, port, backlog })
  } catch (error) {
    await app.close()
    // What fails before has nothing to do with the address.
    throw isMade ? listenError({ host, port }, error) : error
  }
}

/** The same for a server without an app. @throws StartError with the reason */
export async function listenOn(server: Server, { host, port }: ListenAddress): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host, port, backlog }, resolve)
    })
  } catch (error) {
    throw listenError({ host, port }, error)
  }
}

/** The URL at which a browser on this machine reaches a server that listens. */
export function serverUrl(
  server: Pick<Server, 'address'>,
  { host, publicUrl, tls }: Pick<Settings, 'host' | 'publicUrl' | 'tls'>,
): string {
  if (publicUrl) return publicUrl.href
  const { port } = server.address() as AddressInfo
  // Not every browser accepts the address for "all interfaces".
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `${tls ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${port}/`
}

/** A warning when other machines can reach the server; `undefined` when they cannot. */
export function exposureWarning({
  host,
  publicUrl,
  upstream,
  tls,
}: Pick<Settings, 'host' | 'publicUrl' | 'upstream' | 'tls'>): string | undefined {
  if (isLoopback(host) || tls) return undefined
  const behindProxy = publicUrl?.protocol === 'https:' ? ' Let nothing but the proxy reach this port.' : ''
  const where = upstream ? `the servers of ${upstream.host}` : 'this machine'
  return (
    `Listening on ${host}: whoever can reach this port is one password away from a shell on ${where}, and this ` +
    `connection is not encrypted.${behindProxy || ' Set TLS_CERT and TLS_KEY, put a proxy with TLS in front, or set HOST to 127.0.0.1.'}`
  )
}
