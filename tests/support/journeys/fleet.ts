import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../../server/app.ts'
import { hashPassword } from '../../../server/auth/passwords/password.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import { openStore } from '../../../server/db/store.ts'
import type { Log } from '../../../server/log.ts'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { roles } from '../../../src/schemas/define/access.ts'
import { root } from '../root.ts'
import { configFileIn } from '../server/process/configFile.ts'
import { createTestHost, type TestHost } from '../server/testHost.ts'
import { test as journey, password, type ServerUnderTest, username } from './journey.ts'

interface FleetFixtures {
  /** Names of the machines. */
  fleet: readonly string[]
  /**
   * Names of machines that really run: they report metrics of this machine, and keep settings of their own; the name is
   * in the secret and among the counted interfaces.
   */
  running: readonly string[]
  serverAndHosts: StartedFleet
  /** The machines that report to the server, when the test makes them. */
  machines: readonly TestHost[]
  /** The machines that really run, each with a folder in which its settings are kept. */
  runningMachines: readonly RunningMachine[]
}

interface RunningMachine {
  name: string
  folder: string
}

interface StartedFleet {
  server: ServerUnderTest
  hosts: TestHost[]
  running: RunningMachine[]
  stop(): Promise<void>
}

/** A journey whose machines report what the test says; their server is the real one, in this process. */
export const test = journey.extend<FleetFixtures>({
  // Options of tests, not of workers: another value would cost another worker with another browser.
  fleet: [[], { option: true }],
  running: [[], { option: true }],

  serverAndHosts: async ({ sharedServers, fleet, running }, use) =>
    use(await sharedServers.get(JSON.stringify({ fleet, running }), () => start(fleet, running))),
  server: ({ serverAndHosts }, use) => use(serverAndHosts.server),
  machines: ({ serverAndHosts }, use) => use(serverAndHosts.hosts),
  runningMachines: ({ serverAndHosts }, use) => use(serverAndHosts.running),
})

async function start(fleet: readonly string[], names: readonly string[]): Promise<StartedFleet> {
  const store = openStore(':memory:')
  const hash = await hashPassword(password)
  addUser(usersIn(store), { username, password: hash, role: roles.admin, now: Date.now() })
  const machines = createMachines({ store })
  const lines: string[] = []
  const dist = join(root, 'dist')
  const settings = { host: '127.0.0.1' }
  const app = await buildApp({ store, machines, settings, dist, log: logInto(lines), version: 'test' })
  await app.listen({ host: settings.host, port: 0 })
  const hosts = fleet.map((name) => createTestHost({ uuid: `uuid of ${name}`, name }))
  for (const host of hosts) machines.add(host)
  const running = names.map((name) => ({ name, folder: mkdtempSync(join(tmpdir(), 'wheelhouse-machine-')) }))
  const registered = new Set<number>()
  const unsubscribe = machines.onReport((id) => registered.add(id))
  for (const [index, { name, folder }] of running.entries()) {
    const configStore = configFileIn(folder)
    configStore.write(JSON.stringify({ client_secret: `secret of ${name}`, nic_allowlist: { [name]: true } }))
    const onError = (error: unknown) => void lines.push(`error: ${name}: ${error}`)
    const host = createLocalHost({
      uuid: `uuid of ${name}`,
      version: '1.2.3',
      intervalMs: 1000,
      configStore,
      onError,
    })
    machines.add({ ...host, name: () => name })
    // The first report makes the row: one machine after the other, so that ids follow the order of the names.
    while (registered.size <= index) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  unsubscribe()
  const { port } = app.server.address() as AddressInfo
  const address = `http://${settings.host}:${port}`
  return {
    server: { address, output: () => lines.join('\n'), dataDir: ':memory:' },
    hosts,
    running,
    async stop() {
      await app.close()
      await machines.stop()
      store.close()
      for (const { folder } of running) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function logInto(lines: string[]): Log {
  return {
    info: (text) => lines.push(text),
    warn: (text) => lines.push(text),
    error: (text, cause) => lines.push(`error: ${text} ${cause}`),
  }
}
