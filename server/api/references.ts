import { cron } from '../../src/schemas/cron.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import { server } from '../../src/schemas/server.ts'
import { entityTable } from '../entities/entityTable.ts'
import { owns } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Context } from './entityHooks.ts'

const denied = () => new ApiError('permission denied')

/** The group that is told: none (0), or one of this person's. @throws ApiError */
export function checkNotifierGroup(id: number, { store, person }: Context): void {
  if (id === 0) return
  const group = entityTable(store, notificationGroup).get(id)
  if (!group) throw new ApiError(`notification group id ${id} does not exist`)
  if (!owns(person, group)) throw denied()
}

/** Tasks to be triggered. Unknown ones are accepted, somebody else's are not. @throws ApiError */
export function checkTasks(ids: readonly number[] | null, { store, person }: Context): void {
  const tasks = entityTable(store, cron)
  for (const id of ids ?? []) {
    const task = tasks.get(id)
    if (task && !owns(person, task)) throw denied()
  }
}

/**
 * Servers that a form names. Somebody else's are refused. Unknown ones too where they are the exceptions from all, and
 * accepted where they are the only ones (docs/contract/CONTRACT.md#58-tasks-cron,
 * docs/contract/CONTRACT.md#511-services).
 * @throws ApiError
 */
export function checkServers(ids: readonly number[], areExceptions: boolean, { store, person }: Context): void {
  const servers = entityTable(store, server)
  for (const id of ids) {
    const named = servers.get(id)
    if (named ? !owns(person, named) : areExceptions) throw denied()
  }
}

/** The ids that a set of the wire holds: those with `true`. */
export const idsIn = (set: Readonly<Record<string, boolean>> | null): number[] =>
  Object.entries(set ?? {})
    .filter(([, isIn]) => isIn)
    .map(([id]) => Number(id))
