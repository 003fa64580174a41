import { type Alarms, openAlarms } from '../../../../server/alerts/alarms.ts'
import { type Alerts, createAlerts } from '../../../../server/alerts/alerts.ts'
import { openStore, type Store } from '../../../../server/db/store.ts'
import { entityTable } from '../../../../server/entities/entityTable.ts'
import type { Row } from '../../../../server/entities/row.ts'
import { createMachines, type Machines } from '../../../../server/machines/machines.ts'
import type { OutgoingNotification } from '../../../../server/notifications/notifications.ts'
import { alertRule } from '../../../../src/schemas/alertRule.ts'
import { server } from '../../../../src/schemas/server.ts'
import { createTestHost, type TestHost } from '../testHost.ts'

export const noon = Date.parse('2026-11-21T12:00:00Z')

export interface Triggered {
  ids: readonly number[]
  server: number | undefined
  ownerId: number | undefined
}

/** Alert rules over machines whose reports a test writes, by a clock that a test sets. */
export interface AlertScene {
  store: Store
  clock: { now: number }
  /** The machines of the servers 1, 2, 3 ... */
  hosts: TestHost[]
  notices: OutgoingNotification[]
  triggered: Triggered[]
  errors: unknown[]
  alarms: Alarms
  alerts: Alerts
  machines: Machines
  /** Saves a rule; user 1 is an admin. @returns its id */
  rule(rules: readonly object[], more?: Partial<Row>): number
  edit(id: number, changes: Partial<Row>): void
  /**
   * One check after another, 3 s apart. Before each, machines report what `states` holds at its place, or are silent.
   */
  checks(count: number, told?: Told): Promise<void>
  /** Starts anew on what is kept, as after a restart. Machines have to report again. */
  restart(): void
}

/** What the machines 1, 2 ... report before a check; `undefined`: nothing. */
type Told = (check: number) => readonly (Report | undefined)[]
type Report = Parameters<TestHost['tell']>[0]

interface Options {
  servers?: number
  zone?: string
  start?: number
}

export function alertScene({ servers = 1, zone = 'UTC', start = noon }: Options = {}): AlertScene {
  const store = openStore(':memory:')
  const clock = { now: start }
  const rules = entityTable(store, alertRule)
  const rows = entityTable(store, server)
  let saves = 0
  const stamp = () => `2026-01-01T00:00:00.${String(++saves).padStart(9, '0')}Z`

  const scene: AlertScene = {
    ...{ store, clock, notices: [], triggered: [], errors: [], hosts: [] },
    ...watch(),
    rule(parts, more) {
      const user_id = 1
      const row = { name: 'rule', enable: true, trigger_mode: 1, notification_group_id: 4, rules: parts, user_id }
      return rules.insert({ ...row, updated_at: stamp(), ...more })
    },
    edit: (id, changes) => void rules.update(id, { ...changes, updated_at: stamp() }),
    async checks(count, told = () => []) {
      for (let check = 0; check < count; check++) {
        clock.now += 3000
        for (const [index, report] of told(check).entries()) {
          if (report) scene.hosts[index]?.tell({ at: new Date(clock.now), ...report })
        }
        await scene.alerts.check()
      }
    },
    restart: () => Object.assign(scene, watch()),
  }

  function watch() {
    const machines = createMachines({ store, now: () => clock.now })
    const hosts = Array.from({ length: servers }, (_, index) =>
      createTestHost({ uuid: `machine-${index + 1}`, name: `web-${index + 1}` }),
    )
    for (const host of hosts) machines.add(host)
    const alarms = openAlarms(store, (error) => scene.errors.push(error))
    const alerts = createAlerts({
      ...{ store, machines, alarms, zone },
      roleOf: (id) => (id === 1 ? 0 : 1),
      notifications: { send: (notice) => scene.notices.push(notice) },
      trigger: (ids, row, ownerId) => scene.triggered.push({ ids, server: row?.id, ownerId }),
      addressOf: (row) => `10.****.${row.id}`,
      log: { error: (_, error) => scene.errors.push(error) },
      now: () => clock.now,
    })
    return { machines, hosts, alarms, alerts }
  }

  // The rows are there, whoever reports first.
  for (const host of scene.hosts) host.tell({ at: new Date(0) })
  for (const row of rows.all()) rows.update(row.id, { user_id: 1 })
  return scene
}

/** What was said, without the group and the key. */
export const said = ({ notices }: AlertScene) => notices.map(({ message }) => message)

/** Which alarms there are: rule, server, and whether it is over or withdrawn. */
export const alarmsOf = ({ alarms }: AlertScene) =>
  alarms.all().map(({ rule_id, server_id, ended_at, withdrawn }) => {
    const how = ended_at === null ? 'running' : withdrawn ? 'withdrawn' : 'over'
    return `rule ${rule_id} on ${server_id}: ${how}`
  })
