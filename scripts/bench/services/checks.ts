import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { openHistory } from '../../../server/db/history/openHistory.ts'
import { openStore } from '../../../server/db/store.ts'
import { entityTable } from '../../../server/entities/entityTable.ts'
import { createLocalHost } from '../../../server/machines/hosts/local/localHost.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import { createServices } from '../../../server/services/services.ts'
import { service } from '../../../src/schemas/service.ts'
import type { Report } from './budgets.ts'

interface Targets {
  open: number[]
  page: number
  silent: number
}

const count = 5000
const seconds = 90

/** 5,000 services at 30 s on real listeners: seven in ten ports, one refused, one page, one page that never answers. */
export async function measureChecks(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-services-'))
  const worker = new Worker(new URL('targets.ts', import.meta.url))
  const targets = await new Promise<Targets>((resolve) => worker.once('message', resolve))
  const store = openStore(join(folder, 'store.db'))
  const history = openHistory(join(folder, 'history.db'))
  const machines = createMachines({ store })
  machines.add(createLocalHost({ uuid: 'bench', version: 'bench' }))
  addServices(store, targets)
  const late: number[] = []
  const services = createServices({
    ...{ store, history, machines },
    notifications: { send: () => {} },
    trigger: () => {},
    roleOf: () => 0,
    mayCallPrivateTargets: () => true,
    log: console,
    onCheck: (ms) => void late.push(ms),
  })
  // The machine is in the list with its first report.
  await wait(4000)
  const delays = monitorEventLoopDelay({ resolution: 5 })
  const before = process.cpuUsage()
  services.start()
  delays.enable()
  await wait(seconds * 1000)
  const { user, system } = process.cpuUsage(before)
  delays.disable()
  late.sort((one, other) => one - other)
  const at = (share: number) => late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? Number.NaN
  report.add('checks', late.length)
  report.add('lateMedianMs', at(0.5))
  report.add('lateMostMs', at(0.99))
  report.add('latestMs', at(1))
  report.add('stallMs', delays.percentile(99.9) / 1e6)
  report.add('processorPercent', (user + system) / 10_000 / seconds)
  await services.stop()
  await machines.stop()
  await worker.terminate()
  history.close()
  store.close()
  rmSync(folder, { recursive: true, force: true })
}

function addServices(store: ReturnType<typeof openStore>, { open, page, silent }: Targets): void {
  const table = entityTable(store, service)
  const common = { duration: 30, user_id: 1, cover: 0 }
  store.transaction(() => {
    for (let number = 0; number < count; number++) {
      const [kind, name] = [number % 10, `service ${number}`]
      const port = kind === 7 ? 1 : open[number % open.length]
      if (kind < 8) table.insert({ ...common, name, type: 3, target: `127.0.0.1:${port}` })
      else table.insert({ ...common, name, type: 1, target: `http://127.0.0.1:${kind === 8 ? page : silent}/` })
    }
  })
}
