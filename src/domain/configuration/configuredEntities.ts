import { referencesOf } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { team } from '../../schemas/define/team.ts'
import { settingsRecordId } from '../../schemas/endpoints/changeEndpoints.ts'
import { entities } from '../../schemas/index.ts'
import { contractSettings } from '../../schemas/settings/contractSettings.ts'
import type { StoredRecord } from './fileValues.ts'

/**
 * Settings in the file: one record each, which is always there, and which a call of its own gives in place of a list.
 */
const configuredSettings: readonly Entity[] = [contractSettings]

export const isSetting = (entity: Entity): boolean => configuredSettings.includes(entity)

/** The record of a setting, as a list of records has it. @param reply what the call for it gives */
export const settingRow = ({ form }: Entity, reply: unknown): StoredRecord => ({
  ...form.parse(reply),
  id: settingsRecordId,
})

/**
 * The entities of the configuration file, each behind those that it refers to and whose records a file can make: they
 * are created in this order, and deleted in the opposite one.
 * @throws Error when entities refer to each other in a circle: no order would keep their references whole
 */
export function configuredEntities(
  all: readonly Entity[] = [...Object.values(entities), ...configuredSettings],
): readonly Entity[] {
  const configured = new Map(all.filter(({ configuration }) => configuration).map((entity) => [entity.name, entity]))
  const sorted: Entity[] = []
  const visit = (entity: Entity, path: readonly string[]): void => {
    if (sorted.includes(entity)) return
    if (path.includes(entity.name))
      throw new Error(`Entities refer to each other: ${[...path, entity.name].join(', ')}`)
    for (const { to } of referencesOf(entity)) {
      const target = to === entity.name ? undefined : configured.get(to)
      if (target?.api.verbs.includes('create')) visit(target, [...path, entity.name])
    }
    sorted.push(entity)
  }
  for (const entity of configured.values()) visit(entity, [])
  return sorted
}

/**
 * The entities whose records a file names and does not have: those that its own refer to.
 * @param features what the server announces. Default: all
 */
export function mentionedEntities(
  configured: readonly Entity[] = configuredEntities(),
  features?: object,
): readonly Entity[] {
  const names = new Set(configured.flatMap((entity) => referencesOf(entity).map(({ to }) => to)))
  return [...Object.values<Entity>(entities), team].filter(
    ({ name, configuration, api: { announced } }) =>
      names.has(name) && !configuration && (!announced || !features || announced in features),
  )
}

/** Whether a file can delete records of this entity: only those that it could make again. */
export const isDeletedByFile = ({ api }: Entity): boolean =>
  api.verbs.includes('create') && api.verbs.includes('delete')
