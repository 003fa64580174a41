import { configuredEntities } from '../../src/domain/configuration/configuredEntities.ts'
import { planConfiguration } from '../../src/domain/configuration/planConfiguration.ts'
import { readConfiguration } from '../../src/domain/configuration/readConfiguration.ts'
import { type StoredRecord, storedRecords } from '../../src/domain/configuration/storedRecords.ts'
import { writeConfiguration } from '../../src/domain/configuration/writeConfiguration.ts'

/**
 * What the configuration of 2,000 services, tasks and servers costs as a file: processor time to write it, to write it
 * over itself, and to read it and plan with every tenth record changed. Fails when one of them is above the limit.
 */
const RECORDS = 2000
const LIMIT_MS = 2000

const each = RECORDS / 4
const records = (make: (id: number) => object): StoredRecord[] =>
  Array.from({ length: each }, (_, at) => ({ id: at + 1, ...make(at + 1) }))
const byEntity: Record<string, StoredRecord[]> = {
  server: records((id) => ({ name: `web-${id}`, display_index: id, note: `rack ${id}\nAsk Anna.` })),
  service: records((id) => ({
    ...{ name: `shop ${id}`, type: 1, target: `https://${id}.example.org`, duration: 30, cover: 1 },
    ...{ notification_group_id: id, fail_trigger_tasks: [id], skip_servers: { [id]: true, [1 + (id % each)]: true } },
  })),
  cron: records((id) => ({
    ...{ name: `task ${id}`, task_type: 0, scheduler: '0 0 3 * * *', command: 'apt update', servers: [id], cover: 0 },
  })),
  'notification-group': records((id) => ({ name: `team ${id}`, notifications: [] })),
}
const stored = new Map(
  configuredEntities().map((entity) => [entity.name, storedRecords(entity, byEntity[entity.name] ?? [])]),
)

let failures = 0

/** Prints what some work takes, and counts it when that is too much. */
function measure<T>(what: string, work: () => T): T {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  const ms = Math.round((user + system) / 1000)
  console.log(`${what}: ${ms} ms (limit ${LIMIT_MS} ms)`)
  if (ms > LIMIT_MS) failures += 1
  return result
}

const text = measure(`writing ${RECORDS} records`, () => writeConfiguration(stored))
measure('writing them over their file', () => writeConfiguration(stored, text))
let at = 0
const changed = text.replaceAll(/rack|apt update/g, (word) => (at++ % 10 === 0 ? `${word} changed` : word))
const { changes, problems } = measure('reading the file and planning', () =>
  planConfiguration(readConfiguration(changed), stored),
)
if (changes.length !== RECORDS / 20 || problems.length > 0) {
  console.error(`The plan has ${changes.length} changes and ${problems.length} problems.`)
  failures += 1
}
process.exitCode = failures > 0 ? 1 : 0
