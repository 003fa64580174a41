import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import { type AppOptions, buildApp } from '../../../server/app.ts'
import type { Waf } from '../../../server/auth/blocking/blockedAddresses.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import type { Store } from '../../../server/db/store.ts'
import type { ResidentTable } from '../../../server/db/table.ts'
import { entityTable, type Row } from '../../../server/entities/entityTable.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { type Site, writeSite } from '../../../server/site/site.ts'
import { nat } from '../../../src/schemas/nat.ts'
import { server as servers } from '../../../src/schemas/server.ts'
import { emptyStore, partsFor } from './emptyStore.ts'
import { createTestHost, type TestHost } from './testHost.ts'

/** The forwarded host name of the tests. */
export const forwardedName = 'nas.example.org'

/** A whole server on a port, with one machine (row 1, without owner) and one NAT profile (row 1, of the admin). */
export interface NatServer {
  app: FastifyInstance
  port: number
  store: Store
  host: TestHost
  profiles: ResidentTable<Row>
  servers: ResidentTable<Row>
  waf: Waf
  logged: string[]
  stop(): Promise<void>
}

interface Options {
  /** The target of the profile: a port of this machine, or `host:port`. */
  target: number | string
  profile?: object
  site?: Partial<Site>
  settings?: AppOptions['settings']
  nat?: AppOptions['nat']
  requestTimeoutMs?: number
}

export async function startNatServer({
  target,
  profile,
  site,
  settings,
  nat: natOptions,
  requestTimeoutMs,
}: Options): Promise<NatServer> {
  const store = await emptyStore()
  for (const [role, username] of ['admin', 'member'].entries()) {
    addUser(usersIn(store), { username, password: '', role, now: 0 })
  }
  if (site) writeSite(store, site)
  const machines = createMachines({ store })
  const host = createTestHost()
  machines.add(host)
  host.report({ at: new Date(Date.now() + 3_600_000) })
  const profiles = entityTable(store, nat)
  const targetHost = typeof target === 'number' ? `127.0.0.1:${target}` : target
  profiles.insert({
    name: 'n',
    enabled: true,
    server_id: 1,
    host: targetHost,
    domain: forwardedName,
    user_id: 1,
    ...profile,
  })
  const logged: string[] = []
  const log = (text: string) => void logged.push(text)
  const app = await buildApp({
    ...partsFor(store),
    store,
    machines,
    version: '1.2.3',
    settings: settings ?? { host: '127.0.0.1' },
    nat: natOptions,
    requestTimeoutMs,
    log: { info: log, warn: log, error: (text, cause) => log(`${text} ${cause}`) },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return {
    app,
    port,
    store,
    host,
    profiles,
    servers: entityTable(store, servers),
    waf: app.auth.waf,
    logged,
    stop: () => app.close(),
  }
}

/** A web service on this machine, and all requests that it gets. */
export async function startService(answer: RequestListener = (_request, reply) => void reply.end('hello')) {
  const requests: IncomingMessage[] = []
  const server: Server = createServer((request, reply) => {
    requests.push(request)
    answer(request, reply)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, server, requests }
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  raw: string[]
  text: string
}

interface RequestOptions {
  host?: string
  path?: string
  method?: string
  headers?: Record<string, string | string[]>
  body?: string
}

/** A request for the forwarded name that is not awaited. */
export function openRequest(port: number, { host = forwardedName, path = '/', method, headers }: RequestOptions = {}) {
  return request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false })
}

/** Sends a request for the forwarded name. @returns the whole reply */
export function sendRequest(port: number, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = openRequest(port, options)
    outgoing.on('error', reject)
    outgoing.on('response', async (reply) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of reply) chunks.push(chunk as Buffer)
        const { statusCode: status = 0, headers, rawHeaders: raw } = reply
        resolve({ status, headers, raw, text: Buffer.concat(chunks).toString() })
      } catch (error) {
        reject(error)
      }
    })
    outgoing.end(options.body)
  })
}
