import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect } from '@playwright/test'
import { knownBrowserCookie } from '../../../src/schemas/define/wireNames.ts'
import { type OidcProvider, startOidcProvider } from '../fakes/oidcProvider.ts'
import { waitForOwnMachine } from '../server/changeDatabase.ts'
import { spawnServer } from '../server/process/spawnServer.ts'
import { type HostedServer, startServerHost } from '../server/process/startServerHost.ts'
import { attachScreenshots, test as base, endRoutes, type SharedServers } from './sharedServers.ts'
import { keepTextsOfToasts } from './toasts.ts'

export { expect }

export const username = 'admin'
export const password = 'correct horse battery'

export interface ServerUnderTest extends Pick<HostedServer, 'address' | 'output'> {
  dataDir: string
}

/** What a server starts with. Tests that ask for the same may share one. */
interface ServerOptions {
  /** Made-up servers to have in the database beforehand. */
  seeded: number
  /** Starts as `npm start` does, on a new data folder. Left false, the operator has chosen the password. */
  generatesPassword: boolean
  /** Whether people can sign in at `provider` too, which is called GitHub here. */
  hasProvider: boolean
  /** A file with a name here has a server of its own. */
  serverName: string
}

interface StartedServer {
  server: ServerUnderTest
  provider: OidcProvider | undefined
  stop(): Promise<void>
}

interface Fixtures extends ServerOptions {
  /** The name in the address bar; a session belongs to one name. */
  hostName: '127.0.0.1' | 'localhost'
  /** Runs where `hasProvider` asks for it. */
  provider: OidcProvider | undefined
  started: StartedServer
  server: ServerUnderTest
  /** Opens a browser of its own, with nothing in it, watched like the first one. */
  openBrowser: (options?: { signedIn?: boolean }) => Promise<BrowserContext>
  /** What went wrong unseen so far: in consoles, on the network, in the server's log. */
  faults: string[]
}

const common: ServerOptions = { seeded: 0, generatesPassword: false, hasProvider: false, serverName: 'shared' }

const nothingWrong: string[] = []

/**
 * A browser on the built console and the real server. Whatever a journey is about, at its end the consoles were free
 * of errors, no request had left for another host, and the server had not logged a stack trace.
 */
export const test = base.extend<Fixtures>({
  // Options of tests, not of workers: another value would cost another worker with another browser.
  seeded: [common.seeded, { option: true }],
  generatesPassword: [common.generatesPassword, { option: true }],
  hasProvider: [common.hasProvider, { option: true }],
  serverName: [common.serverName, { option: true }],
  hostName: ['127.0.0.1', { option: true }],

  started: [
    async ({ sharedServers, seeded, generatesPassword, hasProvider, serverName }, use) => {
      const options = { seeded, generatesPassword, hasProvider, serverName }
      const key = JSON.stringify(options)
      await use(await sharedServers.get(key, () => start(options, sharedServers), key === JSON.stringify(common)))
    },
    { timeout: 120_000 },
  ],
  provider: ({ started }, use) => use(started.provider),
  server: ({ started: { server }, hostName }, use) =>
    use({ ...server, address: server.address.replace('127.0.0.1', hostName) }),

  baseURL: ({ server }, use) => use(server.address),

  faults: async ({ server }, use) => {
    const faults: string[] = []
    const before = server.output().length
    await use(faults)
    // A stack, or anything that the server calls an error.
    const logged = server.output().slice(before)
    if (/^\s+at .+:\d+|error/im.test(logged)) faults.push(`the server's log: ${logged}`)
    expect(faults).toEqual(nothingWrong)
  },

  context: async ({ context, faults, server }, use) => {
    watch(context, server.address, faults)
    await use(context)
  },

  openBrowser: async (
    { browser, server, faults, locale, timezoneId, serviceWorkers, contextOptions },
    use,
    testInfo,
  ) => {
    const opened: BrowserContext[] = []
    await use(async ({ signedIn = true } = {}) => {
      const options = { ...contextOptions, baseURL: server.address, locale, timezoneId, serviceWorkers }
      const context = await browser.newContext(options)
      opened.push(context)
      await keepTextsOfToasts(context)
      watch(context, server.address, faults)
      if (signedIn) await signIn(context)
      return context
    })
    for (const context of opened) {
      await attachScreenshots(context, testInfo)
      await endRoutes(context)
      await context.close()
    }
  },
})

async function start(options: ServerOptions, sharedServers: SharedServers): Promise<StartedServer> {
  const { seeded, generatesPassword, hasProvider } = options
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-e2e-'))
  const dataDir = join(folder, 'data')
  const provider = hasProvider ? await startOidcProvider() : undefined
  let server: HostedServer | undefined
  const stop = async () => {
    await server?.stop()
    await provider?.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (seeded > 0) seed(dataDir, seeded)
    if (provider) writeProvider(dataDir, provider)
    if (generatesPassword) server = await startProcess({ DATA_DIR: dataDir })
    else {
      const host = await sharedServers.get('host', startServerHost, true)
      server = await host.start({ DATA_DIR: dataDir, ADMIN_PASSWORD: password })
    }
    await waitForOwnMachine(dataDir)
  } catch (error) {
    await stop()
    throw error
  }
  return { server: { ...server, dataDir }, provider, stop }
}

/** Starts a server in a process of its own, whose output has all that a first start prints. */
async function startProcess(settings: Record<string, string>): Promise<HostedServer> {
  const server = await spawnServer(settings)
  if (!server.address) throw new Error(`The server did not start:\n${server.output()}`)
  const stop = async () => {
    server.kill('SIGTERM')
    await server.ended
  }
  return { ...server, stop }
}

function writeProvider(dataDir: string, { entry }: OidcProvider): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'oauth2.json'), JSON.stringify({ GitHub: entry }), { mode: 0o600 })
}

function seed(dataDir: string, count: number): void {
  const program = join(import.meta.dirname, '../../../scripts/seed.ts')
  const env = { ...process.env, DATA_DIR: dataDir }
  const { status, stderr } = spawnSync(process.execPath, [program, '--servers', String(count)], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`Seeding ${count} servers failed:\n${stderr}`)
}

/** Records faults that do not show on screen. */
function watch(context: BrowserContext, address: string, faults: string[]): void {
  const { host } = new URL(address)
  const leaves = (url: string) => /^(https?|wss?):/.test(url) && new URL(url).host !== host
  context.on('request', (request) => {
    if (leaves(request.url())) faults.push(`a request to ${request.url()}`)
  })
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(`the console: ${message.text()}`)
  })
  context.on('weberror', (error) => void faults.push(`uncaught: ${error.error().stack}`))
  context.on('page', (page) => {
    page.on('websocket', (socket) => {
      if (leaves(socket.url())) faults.push(`a socket to ${socket.url()}`)
    })
  })
}

/**
 * The names of all cookies but the one that outlives a session: it says that somebody has signed in here, and opens
 * nothing.
 */
export async function sessionCookies(context: BrowserContext): Promise<string[]> {
  return (await context.cookies()).map(({ name }) => name).filter((name) => name !== knownBrowserCookie)
}

/** Gives the browser a session without the sign-in form, which has a test of its own. */
export async function signIn(context: BrowserContext): Promise<void> {
  const reply = await context.request.post('/api/v1/login', { data: { username, password } })
  expect(await reply.json()).toMatchObject({ success: true })
}
