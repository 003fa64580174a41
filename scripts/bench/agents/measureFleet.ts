import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { openDataFolder } from '../../../server/start/dataFolder.ts'
import { server } from '../../../src/schemas/server.ts'
import { spawnServer } from '../../../tests/support/server/process/spawnServer.ts'
import { type Api, signIn } from '../../soak/api.ts'
import { openLiveLists } from './liveLists.ts'
import { processorSeconds, residentMib } from './processUse.ts'
import { simulatedUuid } from './simulatedAgent.ts'
import { startFleet } from './simulatedFleet.ts'

export interface FleetFigures {
  /** Of one core. */
  processorPercent: number
  /** The same for one agent, in microseconds of processor time per second. */
  perAgentMicroseconds: number
  receiptsPerSecond: number
  checksPerSecond: number
  receiptMedianMs: number
  receiptP99Ms: number
  residentMib: number
  /** Frames of live lists per second, all lists together, and their size. */
  liveFramesPerSecond: number
  liveFrameKb: number
  /** Frames that were not the same for all lists. */
  differentFrames: number
  /** Seconds from the first connection until all are online. */
  firstSeconds: number
  /** Seconds from the end of the old process until all are online again. */
  againSeconds: number
  /** Rows that are there twice, or too few. */
  wrongRows: number
}

export const admin = { username: 'admin', password: 'only for benches' }
const secondsMeasured = 40
const secondsWarm = 20

/** The server under so many simulated agents, with services, alert rules and open lists, then started again. */
export async function measureFleet(
  count: number,
  { nodeArgs = [], onMeasuring }: { nodeArgs?: string[]; onMeasuring?: () => void } = {},
): Promise<FleetFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-agents-'))
  const port = await freePort()
  const settings = {
    DATA_DIR: join(folder, 'data'),
    ADMIN_PASSWORD: admin.password,
    PORT: String(port),
    HOST: '127.0.0.1',
  }
  const start = async () => {
    const started = await spawnServer(settings, { nodeArgs })
    if (!started.address) throw new Error(`The server did not start:\n${started.output()}`)
    return started
  }
  addRows(settings.DATA_DIR, count)
  let running = await start()
  let fleet: ReturnType<typeof startFleet> | undefined
  try {
    const api = await signIn(running.address, admin)
    await seed(api)
    const { agent_secret: secret } = await api.call<{ agent_secret: string }>('GET', 'profile')
    fleet = startFleet({ port, secret, count, rampMs: 5000 })
    const firstMs = await fleet.online(count, 120_000)
    const lists = await openLiveLists(api, 5)
    await wait(secondsWarm * 1000)
    await fleet.ask()
    lists.take()
    onMeasuring?.()
    const [cpu, at] = [processorSeconds(running.pid), performance.now()]
    await wait(secondsMeasured * 1000)
    const seconds = (performance.now() - at) / 1000
    const used = processorSeconds(running.pid) - cpu
    const { receipts, tasks, waits } = await fleet.ask()
    const live = lists.take()
    const resident = residentMib(running.pid)
    lists.close()

    running.kill('SIGTERM')
    await running.ended
    const stopped = performance.now()
    running = await start()
    await fleet.online(count, 120_000)
    const againMs = performance.now() - stopped
    const rows = await (await signIn(running.address, admin)).call<{ uuid: string }[]>('GET', 'server')
    const simulated = rows.filter(({ uuid }) => uuid.startsWith('00000000-0000-4000-8000-'))
    return {
      processorPercent: (used / seconds) * 100,
      perAgentMicroseconds: (used / seconds / count) * 1e6,
      receiptsPerSecond: receipts / seconds,
      checksPerSecond: tasks / seconds,
      receiptMedianMs: quantileOf(waits, 0.5),
      receiptP99Ms: quantileOf(waits, 0.99),
      residentMib: resident,
      liveFramesPerSecond: live.frames / seconds,
      liveFrameKb: live.bytes / live.frames / 1000,
      differentFrames: live.different,
      firstSeconds: firstMs / 1000,
      againSeconds: againMs / 1000,
      wrongRows: Math.abs(simulated.length - count),
    }
  } finally {
    fleet?.stop()
    running.kill('SIGTERM')
    await running.ended
    rmSync(folder, { recursive: true, force: true })
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

/** 20 services on all machines, and 20 alert rules. */
export async function seed(api: Api): Promise<void> {
  for (let index = 0; index < 20; index++) {
    await api.call('POST', 'service', {
      ...{ name: `service ${index}`, type: 3, target: `192.0.2.1:${1000 + index}`, duration: 60, cover: 0 },
      ...{ skip_servers: {}, notify: false, notification_group_id: 0, display_index: 0, hide_for_guest: false },
      ...{ enable_trigger_task: false, fail_trigger_tasks: [], recover_trigger_tasks: [] },
      ...{ min_latency: 0, max_latency: 0, latency_notify: false },
    })
    const [type, limit] = metrics[index % metrics.length] as [string, object]
    await api.call('POST', 'alert-rule', {
      ...{ name: `rule ${index}`, enable: true, trigger_mode: 0, notification_group_id: 0 },
      ...{
        fail_trigger_tasks: [],
        recover_trigger_tasks: [],
        rules: [{ type, duration: 10 + index, cover: 0, ...limit }],
      },
    })
  }
}

/** None is reached. */
const metrics: readonly (readonly [string, object])[] = [
  ['cpu', { max: 99 }],
  ['memory', { max: 99 }],
  ['disk', { max: 99 }],
  ['net_in_speed', { max: 1e12 }],
  ['load1', { max: 1000 }],
  ['tcp_conn_count', { max: 1e6 }],
  ['process_count', { max: 1e6 }],
  ['offline', {}],
]

/** @param counts how many took so many milliseconds */
export function quantileOf(counts: readonly number[], share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  return counts.findIndex((count) => {
    seen += count
    return seen >= total * share
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
