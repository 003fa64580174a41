import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../server/db/store.ts'
import { entityTable } from '../../server/entities/entityTable.ts'
import { openDataFolder } from '../../server/start/dataFolder.ts'
import { leastHistoryDays } from '../../src/schemas/endpoints/serviceHistory.ts'
import { service } from '../../src/schemas/service.ts'
import { spawnServer } from '../../tests/support/server/process/spawnServer.ts'
import { signIn } from '../soak/api.ts'
import { addRows, admin } from './agents/fleetServer.ts'
import { fillFile } from './history/fillHistory.ts'
import { figure } from './support/figure.ts'
import { processorSeconds } from './support/processorTime.ts'

const [machines, services] = [5000, 10_000]
/** How often each is asked for. */
const rounds = 3

function addServices(data: string): void {
  const folder = openDataFolder(data)
  const store = openStore(folder.database)
  const table = entityTable(store, service)
  store.transaction(() => {
    for (let number = 1; number <= services; number++)
      table.insert({ name: `service ${number}`, type: 3, target: '192.0.2.1:80', duration: 60, user_id: 1, cover: 0 })
  })
  store.close()
  folder.release()
}

/** Waits until a server has looked through its history, as it does once after its start. */
async function untilIdle(pid: number): Promise<void> {
  for (;;) {
    const before = processorSeconds(pid)
    await delay(2000)
    if (processorSeconds(pid) - before < 0.3) return
  }
}

test('lists and charts of 10,000 services on 5,000 rows, of which one has checked all, and one service is checked by all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-bench-services-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  addRows(data, machines)
  addServices(data)
  const filled = { name: 'check', days: leastHistoryDays, now: Date.now() } as const
  fillFile(join(data, 'history.db'), { ...filled, ones: services, others: 1 })
  fillFile(join(data, 'history.db'), { ...filled, ones: 1, others: machines })
  const running = await spawnServer({
    DATA_DIR: data,
    ADMIN_PASSWORD: admin.password,
    WATCH_THIS_MACHINE: 'false',
  })
  onTestFinished(async () => {
    running.kill('SIGTERM')
    await running.ended
  })
  await untilIdle(running.pid)
  const api = await signIn(running.address, admin)
  const noticed = { max: 1, why: 'longer, and people look elsewhere' }
  for (const path of [
    'service/list',
    'service',
    'service/server',
    'server',
    ...['1d', '7d', '30d'].map((period) => `service/1/history?period=${period}`),
    ...['1d', '7d', '30d'].map((period) => `service/2/history?period=${period}`),
    'server/1/service?period=1d',
    'server/1/metrics?metric=cpu&period=30d',
  ]) {
    const before = processorSeconds(running.pid)
    const at = performance.now()
    for (let round = 0; round < rounds; round++) await api.call('GET', path)
    figure(path, (processorSeconds(running.pid) - before) / rounds, 's of a processor', noticed)
    figure(`${path}, by the clock`, (performance.now() - at) / 1000 / rounds, 's')
  }
  // More than one reply can hold.
  await expect(api.call('GET', 'server/1/service?period=7d')).rejects.toThrow('ask for each service')
})
