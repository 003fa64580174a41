import { onTestFinished } from 'vitest'
import { type History, openHistory } from '../../../../server/db/history/openHistory.ts'
import { openStore, type Store } from '../../../../server/db/store.ts'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import type { Row } from '../../../../server/entities/row.ts'
import type { Certificate } from '../../../../server/machines/hosts/probe.ts'
import { createMachines } from '../../../../server/machines/machines.ts'
import type { Silences } from '../../../../server/maintenance/silence.ts'
import type { OutgoingNotification } from '../../../../server/notifications/notifications.ts'
import type { ServiceRow } from '../../../../server/services/serviceRow.ts'
import { createServices } from '../../../../server/services/services.ts'
import { service } from '../../../../src/schemas/service.ts'
import { createTestHost, type TestHost } from '../testHost.ts'

interface Options {
  /** Of another scene, as after a restart. */
  store?: Store
  history?: History
  clock?: { now: number }
  /** How many machines report. */
  machines?: number
  /** Default: nothing is silent. */
  silences?: Silences
}

/** Service checks by test machines with a clock that the test controls. User 1 is an administrator, 2 a member. */
export async function serviceScene({
  store = openStore(':memory:'),
  history,
  clock,
  machines: count = 1,
  silences,
}: Options = {}) {
  const time = clock ?? { now: Date.parse('2026-11-21T12:00:00Z') }
  const now = () => time.now
  const historyStore = history ?? openHistory(':memory:')
  const machines = createMachines({ store, now })
  const hosts: TestHost[] = []
  for (let number = 1; number <= count; number++) {
    const host = createTestHost({ uuid: `machine-${number}`, name: `web-${number}` })
    machines.add(host)
    host.tell({ at: new Date(time.now) })
    hosts.push(host)
  }
  const notifications: OutgoingNotification[] = []
  const triggered: { ids: readonly number[]; server: Row | undefined }[] = []
  const delays: number[] = []
  const certificates = new Map<string, Certificate>()
  const services = createServices({
    store,
    machines,
    history: historyStore,
    notifications: { send: (notice) => void notifications.push(notice) },
    silences,
    trigger: (ids, server) => void triggered.push({ ids, server }),
    roleOf: (id) => ({ 1: 0, 2: 1 })[id],
    mayCallPrivateTargets: ({ user_id }) => user_id === 1,
    log: {
      error(text, cause) {
        throw new Error(text, { cause })
      },
    },
    now,
    readCertificate: async (url) => certificates.get(url),
    onCheck: (ms) => void delays.push(ms),
  })
  const table = entityTable(store, service)
  onTestFinished(() => services.checker.stop())

  /** Lets time pass in steps of 0.1 s; checks take no time. */
  async function pass(seconds: number): Promise<void> {
    for (const end = time.now + seconds * 1000; time.now < end; time.now += 100) {
      if (time.now % 2000 === 0) for (const host of hosts) host.tell({ at: new Date(time.now) })
      services.checker.tick()
      await services.checker.idle()
    }
  }

  /** Creates a service, by default of type TCP, owned by the administrator, every 30 s. @returns its id */
  const add = (row: Partial<ServiceRow> = {}) =>
    table.insert({ name: 'db', type: 3, target: 'db.example:5432', duration: 30, user_id: 1, cover: 0, ...row })

  const host = hosts[0] as TestHost
  return {
    services,
    store,
    history: historyStore,
    clock: time,
    machines,
    hosts,
    host,
    notifications,
    triggered,
    /** What this server finds when it looks at a page itself, by URL. */
    certificates,
    late: delays,
    table,
    pass,
    add,
  }
}
