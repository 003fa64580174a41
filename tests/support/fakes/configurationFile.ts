import { configuredEntities } from '../../../src/domain/configuration/configuredEntities.ts'
import {
  type RecordsByEntity,
  type SecretsById,
  type StoredRecord,
  storedRecords,
} from '../../../src/domain/configuration/fileValues.ts'
import { type PlanOptions, planConfiguration } from '../../../src/domain/configuration/planConfiguration.ts'
import { problemText } from '../../../src/domain/configuration/problem.ts'
import { readConfiguration } from '../../../src/domain/configuration/readConfiguration.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'

/** What a server has; entities without records are there, and empty. @param secrets where it says which are set */
export function stored(
  records: Record<string, readonly StoredRecord[]> = {},
  secrets?: Record<string, SecretsById>,
): RecordsByEntity {
  const of = (entity: Entity) =>
    storedRecords(entity, records[entity.name] ?? [], secrets && (secrets[entity.name] ?? {}))
  return new Map(configuredEntities().map((entity) => [entity.name, of(entity)]))
}

export const vm = { id: 4, name: 'vm', display_index: 0 }
export const ops = { id: 9, name: 'ops', notifications: [] }
export const restart = { id: 2, name: 'restart', task_type: 1, command: 'reboot', servers: null, cover: 0 }
export const web = {
  id: 7,
  name: 'web',
  type: 1,
  target: 'https://example.org',
  duration: 30,
  cover: 1,
  skip_servers: { 4: true },
  notification_group_id: 9,
  fail_trigger_tasks: [2, 99],
  recover_trigger_tasks: null,
  hide_for_guest: true,
}
export const fleet = () => stored({ server: [vm], 'notification-group': [ops], cron: [restart], service: [web] })

export const plan = (text: string, have = fleet(), options: PlanOptions = {}) =>
  planConfiguration(readConfiguration(text), have, options)
export const problems = (text: string, have = fleet(), options: PlanOptions = {}) =>
  plan(text, have, options).problems.map(problemText)
