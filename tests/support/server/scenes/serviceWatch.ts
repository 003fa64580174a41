import { onTestFinished } from 'vitest'
import { type History, openHistory } from '../../../../server/db/history/openHistory.ts'
import { openStore, type Store } from '../../../../server/db/store.ts'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import type { Row } from '../../../../server/entities/row.ts'
import { createMachines } from '../../../../server/machines/machines.ts'
import type { OutgoingNotification } from '../../../../server/notifications/notifications.ts'
import type { ServiceRow } from '../../../../server/services/serviceRow.ts'
import { createServices } from '../../../../server/services/services.ts'
import { service } from '../../../../src/schemas/service.ts'
import { createTestHost, type TestHost } from '../testHost.ts'

interface Options {
  /** Of another watch, as after a restart. */
  store?: Store
  history?: History
  clock?: { now: number }
  /** How many machines report. */
  machines?: number
}

/** Services that are checked by machines of a test, on a clock of a test; user 1 is an administrator, 2 a member. */
export async function watchServices({
  store = openStore(':memory:'),
  history,
  clock,
  machines: count = 1,
}: Options = {}) {
  const time = clock ?? { now: Date.parse('2026-11-21T12:00:00Z') }
  const now = () => time.now
  const kept = history ?? openHistory(':memory:')
  const machines = createMachines({ store, now })
  const hosts: TestHost[] = []
  for (let number = 1; number <= count; number++) {
    const host = createTestHost({ uuid: `machine-${number}`, name: `web-${number}` })
    machines.add(host)
    host.tell({ at: new Date(time.now) })
    hosts.push(host)
  }
  const told: OutgoingNotification[] = []
  const triggered: { ids: readonly number[]; server: Row | undefined }[] = []
  const late: number[] = []
  const services = createServices({
    store,
    machines,
    history: kept,
    notifications: { send: (notice) => void told.push(notice), stop: async () => {} },
    trigger: (ids, server) => void triggered.push({ ids, server }),
    roleOf: (id) => ({ 1: 0, 2: 1 })[id],
    mayCallPrivateTargets: (id) => id === 1,
    log: {
      error(text, cause) {
        throw new Error(text, { cause })
      },
    },
    now,
    onCheck: (ms) => void late.push(ms),
  })
  const table = entityTable(store, service)
  onTestFinished(() => services.checker.stop())

  /** Lets the clock run, a tenth of a second at a time; checks take no time of it. */
  async function pass(seconds: number): Promise<void> {
    for (const end = time.now + seconds * 1000; time.now < end; time.now += 100) {
      if (time.now % 2000 === 0) for (const host of hosts) host.tell({ at: new Date(time.now) })
      services.checker.tick()
      await services.checker.idle()
    }
  }

  /** A TCP service of the administrator, asked every 30 s, unless something else is said. @returns its id */
  const add = (row: Partial<ServiceRow> = {}) =>
    table.insert({ name: 'db', type: 3, target: 'db.example:5432', duration: 30, user_id: 1, cover: 0, ...row })

  const host = hosts[0] as TestHost
  return { services, store, history: kept, clock: time, machines, hosts, host, told, triggered, late, table, pass, add }
}
