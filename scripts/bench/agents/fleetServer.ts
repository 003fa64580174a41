import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { openDataFolder } from '../../../server/start/dataFolder.ts'
import { server } from '../../../src/schemas/server.ts'
import { type ServerProcess, spawnServer } from '../../../tests/support/server/process/spawnServer.ts'
import { type Api, signIn } from '../../soak/api.ts'
import { simulatedUuid } from './simulatedAgent.ts'

/** A server with 20 services on all machines and 20 alert rules, which knows its agents already. */
export interface FleetServer {
  port: number
  /** The agent secret of the admin. */
  secret: string
  /** The process that runs now. */
  running(): ServerProcess
  /** Somebody who is signed in at that process. */
  signIn(): Promise<Api>
  /** Ends the process and starts another one on the same data. @returns when the first had ended, as `performance.now` */
  restart(): Promise<number>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

export const admin = { username: 'admin', password: 'only for benches' }

/** @param agents how many machines are in its list */
export async function startFleetServer(agents: number): Promise<FleetServer> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-agents-'))
  const port = await freePort()
  const data = join(folder, 'data')
  const settings = { DATA_DIR: data, ADMIN_PASSWORD: admin.password, PORT: String(port), HOST: '127.0.0.1' }
  addRows(data, agents)
  const start = async () => {
    const started = await spawnServer(settings)
    if (!started.address) throw new Error(`The server did not start:\n${started.output()}`)
    return started
  }
  let running = await start()
  const end = async () => {
    running.kill('SIGTERM')
    await running.ended
    return performance.now()
  }
  const api = await signIn(running.address, admin)
  await addWork(api)
  const { agent_secret: secret } = await api.call<{ agent_secret: string }>('GET', 'profile')
  return {
    port,
    secret,
    running: () => running,
    signIn: () => signIn(running.address, admin),
    async restart() {
      const ended = await end()
      running = await start()
      return ended
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The machines are in the list already: each new one costs a write to the disk, which says more about the disk. */
export function addRows(dataDir: string, count: number): void {
  const folder = openDataFolder(dataDir)
  const store = openStore(folder.database)
  const rows = entityTable(store, server)
  store.transaction(() => {
    for (let index = 0; index < count; index++) {
      rows.insert({ uuid: simulatedUuid(index), name: `machine-${index}`, user_id: 1 })
    }
  })
  store.close()
  folder.release()
}

/** None of these limits is reached. */
const limits: [type: string, limit: object][] = [
  ['cpu', { max: 99 }],
  ['memory', { max: 99 }],
  ['disk', { max: 99 }],
  ['net_in_speed', { max: 1e12 }],
  ['load1', { max: 1000 }],
  ['tcp_conn_count', { max: 1e6 }],
  ['process_count', { max: 1e6 }],
  ['offline', {}],
]

/** 20 services on all machines, and 20 alert rules. */
export async function addWork(api: Api): Promise<void> {
  const triggers = { fail_trigger_tasks: [], recover_trigger_tasks: [], notification_group_id: 0 }
  for (let index = 0; index < 20; index++) {
    await api.call('POST', 'service', {
      ...triggers,
      name: `service ${index}`,
      type: 3,
      target: `192.0.2.1:${1000 + index}`,
      duration: 60,
      cover: 0,
      skip_servers: {},
      notify: false,
      display_index: 0,
      hide_for_guest: false,
      enable_trigger_task: false,
      min_latency: 0,
      max_latency: 0,
      latency_notify: false,
    })
    const [type, limit] = limits[index % limits.length] ?? []
    const rules = [{ type, duration: 10 + index, cover: 0, ...limit }]
    await api.call('POST', 'alert-rule', { ...triggers, name: `rule ${index}`, enable: true, trigger_mode: 0, rules })
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
