import { expect, type TestContext, test } from 'vitest'
import { configuredEntities } from '../../src/domain/configuration/configuredEntities.ts'
import { type StoredRecord, storedRecords } from '../../src/domain/configuration/fileValues.ts'
import { planConfiguration } from '../../src/domain/configuration/planConfiguration.ts'
import { readConfiguration } from '../../src/domain/configuration/readConfiguration.ts'
import { writeConfiguration } from '../../src/domain/configuration/writeConfiguration.ts'
import { figure, rounds } from './support/figure.ts'
import { inProcessorTime } from './support/processorTime.ts'

const count = 2000
const each = count / 4

const records = (make: (id: number) => object): StoredRecord[] =>
  Array.from({ length: each }, (_, at) => ({ id: at + 1, ...make(at + 1) }))
const byEntity: Record<string, StoredRecord[]> = {
  server: records((id) => ({ name: `web-${id}`, display_index: id, note: `rack ${id}\nAsk Anna.` })),
  service: records((id) => ({
    name: `shop ${id}`,
    type: 1,
    target: `https://${id}.example.org`,
    duration: 30,
    cover: 1,
    notification_group_id: id,
    fail_trigger_tasks: [id],
    skip_servers: { [id]: true, [1 + (id % each)]: true },
  })),
  cron: records((id) => ({
    name: `task ${id}`,
    task_type: 0,
    scheduler: '0 0 3 * * *',
    command: 'apt update',
    servers: [id],
    cover: 0,
  })),
  'notification-group': records((id) => ({ name: `team ${id}`, notifications: [] })),
}
const stored = new Map(
  configuredEntities().map((entity) => [entity.name, storedRecords(entity, byEntity[entity.name] ?? [])]),
)
const text = writeConfiguration(stored)

async function measure(bench: TestContext['bench'], work: () => void): Promise<void> {
  const { latency } = await bench(`${count} records`, inProcessorTime(work)).run(rounds(3))
  figure('processor time, median', latency.p50, 'ms', {
    max: 2000,
    why: 'somebody waits for it at a prompt',
  })
}

test('writing the configuration', ({ bench }) => measure(bench, () => void writeConfiguration(stored)))

test('writing it over its file', ({ bench }) => measure(bench, () => void writeConfiguration(stored, text)))

test('reading it and planning with every tenth record changed', async ({ bench }) => {
  let at = 0
  const changed = text.replaceAll(/rack|apt update/g, (word) => (at++ % 10 === 0 ? `${word} changed` : word))
  await measure(bench, () => {
    const { changes, problems } = planConfiguration(readConfiguration(changed), stored)
    expect([changes.length, problems]).toEqual([count / 20, []])
  })
})
