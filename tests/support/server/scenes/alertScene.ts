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

/** Alert rules on test machines, with reports and a clock that the test controls. */
export interface AlertScene {
  store: Store
  clock: { now: number }
  /** The machines of the servers 1, 2, 3 ... */
  hosts: TestHost[]
  notifications: OutgoingNotification[]
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
  checks(count: number, reports?: Reports): Promise<void>
  /** Restarts with the saved state. Machines have to report again. */
  restart(): void
}

/** The reports of machines 1, 2 ... before a check; `undefined` for none. */
type Reports = (check: number) => readonly (Report | undefined)[]
type Report = Parameters<TestHost['tell']>[0]

interface Options {
  servers?: number
  zone?: string
  start?: number
  /** Roles by user id. Default: user 1 is an admin. */
  roles?: ReadonlyMap<number, number>
}

export function alertScene({ servers = 1, zone = 'UTC', start = noon, roles }: Options = {}): AlertScene {
  const store = openStore(':memory:')
  const clock = { now: start }
  const rules = entityTable(store, alertRule)
  const rows = entityTable(store, server)
  let saveCount = 0
  const nextVersion = () => `2026-01-01T00:00:00.${String(++saveCount).padStart(9, '0')}Z`

  const scene: AlertScene = {
    ...{ store, clock, notifications: [], triggered: [], errors: [], hosts: [] },
    ...createWatch(),
    rule(parts, more) {
      const user_id = 1
      const row = { name: 'rule', enable: true, trigger_mode: 1, notification_group_id: 4, rules: parts, user_id }
      return rules.insert({ ...row, updated_at: nextVersion(), ...more })
    },
    edit: (id, changes) => void rules.update(id, { ...changes, updated_at: nextVersion() }),
    async checks(count, reports = () => []) {
      for (let check = 0; check < count; check++) {
        clock.now += 3000
        for (const [index, report] of reports(check).entries()) {
          if (report) scene.hosts[index]?.tell({ at: new Date(clock.now), ...report })
        }
        await scene.alerts.check()
      }
    },
    restart: () => Object.assign(scene, createWatch()),
  }

  function createWatch() {
    const machines = createMachines({ store, now: () => clock.now })
    const hosts = Array.from({ length: servers }, (_, index) =>
      createTestHost({ uuid: `machine-${index + 1}`, name: `web-${index + 1}` }),
    )
    for (const host of hosts) machines.add(host)
    const alarms = openAlarms(store, (error) => scene.errors.push(error))
    const alerts = createAlerts({
      ...{ store, machines, alarms, zone },
      roleOf: (id) => roles?.get(id) ?? (id === 1 ? 0 : 1),
      notifications: { send: (notice) => scene.notifications.push(notice) },
      trigger: (ids, row, ownerId) => scene.triggered.push({ ids, server: row?.id, ownerId }),
      addressOf: (row) => `10.****.${row.id}`,
      log: { error: (_, error) => scene.errors.push(error) },
      now: () => clock.now,
    })
    return { machines, hosts, alarms, alerts }
  }

  // Creates the rows of the servers in a fixed order.
  for (const host of scene.hosts) host.tell({ at: new Date(0) })
  for (const row of rows.all()) rows.update(row.id, { user_id: 1 })
  return scene
}

/** The messages of all notifications. */
export const messagesOf = ({ notifications }: AlertScene) => notifications.map(({ message }) => message)

/** All alarms as texts: rule, server and state. */
export const alarmsOf = ({ alarms }: AlertScene) =>
  alarms.all().map(({ rule_id, server_id, ended_at, withdrawn }) => {
    const how = ended_at === null ? 'running' : withdrawn ? 'withdrawn' : 'over'
    return `rule ${rule_id} on ${server_id}: ${how}`
  })
