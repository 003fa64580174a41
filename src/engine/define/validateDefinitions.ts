import type { z } from 'zod'
import { describeField, describeFields, isConcealed } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { entityNamed } from '../../schemas/index.ts'
import type { Resource } from './defineResource.ts'
import { dialogRoot, type ResourceEntry } from './page.tsx'

/**
 * Finds mistakes in schemas, in the registry and in all definitions, which it loads, that types cannot catch.
 *
 * @throws Error with all findings, each a sentence that names file and field
 */
export async function validateDefinitions(
  entities: Readonly<Record<string, Entity>>,
  resources: readonly ResourceEntry[],
): Promise<void> {
  const definitions = await Promise.all(resources.map(({ load }) => load()))
  const findings = [
    ...Object.entries(entities).flatMap(([name, entity]) => checkEntity(name, entity, entities)),
    ...resources.flatMap((entry, index) => [
      ...checkDefinition(definitions[index]?.default as Resource, entry),
      ...checkEntry(entry, entities, resources),
    ]),
  ]
  if (findings.length > 0) throw new Error(findings.join('\n'))
}

function checkEntity(name: string, entity: Entity, entities: Readonly<Record<string, Entity>>): string[] {
  const at = `src/schemas: "${name}"`
  const misnamed =
    name === entity.name ? [] : [`${at} is listed in index.ts under another name than its own, "${entity.name}".`]
  const unknown = describeFields(entity)
    .filter(({ to }) => to !== undefined && !(to in entities) && !entityNamed(to))
    .map(
      ({ name: field, to }) => `${at}, field "${field}" refers to "${to}", which src/schemas/index.ts does not list.`,
    )
  return [...misnamed, ...unknown, ...checkSecrets(at, entity)]
}

/** A form offers to take away each stored secret that it does not need; `clear_secrets` is how a save says so. */
function checkSecrets(at: string, entity: Entity): string[] {
  const optional = describeFields(entity).filter((field) => field.editable && !field.required && isConcealed(field))
  const expected = entity.api.verbs.includes('update') ? optional.map(({ name }) => `'${name}'`) : []
  const cleared = entity.form.shape.clear_secrets as z.ZodOptional<z.ZodArray<z.ZodEnum>> | undefined
  const named = cleared?.unwrap().element.options.map((name) => `'${name}'`) ?? []
  if (named.join() === expected.join()) return []
  const field = expected.length > 0 ? `clear_secrets: clearSecrets(${expected.join(', ')})` : 'no clear_secrets'
  return [`${at} wants ${field} in its form, for the secrets that may be empty and that an update keeps.`]
}

function checkDefinition({ card, entity, columns, filters, form }: Resource, entry: ResourceEntry): string[] {
  const at = `src/resources: "${entity.name}"`
  const findings: string[] = []
  if (entry.entity !== entity) findings.push(`${at} is listed in index.ts as "${entry.entity.name}".`)
  for (const filter of filters) {
    const source = typeof filter === 'string' ? filter : filter.source
    if (entity.api.paging === 'window' && !(source in (entity.api.filters?.shape ?? {})))
      findings.push(`${at}, filter "${source}" is not among the "filters" of the schema, by which the server filters.`)
  }
  for (const { source, derived } of columns) {
    if (!derived && !describeField(entity, source.split('.')[0] ?? source))
      findings.push(`${at}, column "${source}" is no field of the schema.`)
  }
  for (const source of [...(card?.beside ?? []), ...(card?.metrics ?? []), ...(card?.below ?? [])]) {
    if (!columns.some((column) => column.source === source))
      findings.push(`${at}, "${source}" of the card is no column.`)
  }
  for (const filter of filters) {
    if (typeof filter === 'string' && !describeField(entity, filter)) {
      findings.push(`${at}, filter "${filter}" is no field of the schema.`)
    }
  }
  const fields = form.flatMap(({ items }) => items.map((item) => (typeof item === 'string' ? item : item.source)))
  for (const field of fields) {
    if (!describeField(entity, field)?.editable)
      findings.push(`${at}, form field "${field}" is not editable: it is not in the schema's form.`)
    if (fields.indexOf(field) !== fields.lastIndexOf(field))
      findings.push(`${at}, form field "${field}" stands in the form twice.`)
  }
  return findings
}

function checkEntry(
  entry: ResourceEntry,
  entities: Readonly<Record<string, Entity>>,
  all: readonly ResourceEntry[],
): string[] {
  const { entity, path, menu } = entry
  const at = `src/resources: "${entity.name}"`
  const findings: string[] = []
  if (entities[entity.name] !== entity) findings.push(`${at} shows an entity that src/schemas/index.ts does not list.`)
  if (all.some((other) => other !== entry && (other.path === path || dialogRoot(other) === dialogRoot(entry)))) {
    findings.push(`${at} shares its address "${path}" with another definition.`)
  }
  if (
    typeof menu === 'object' &&
    !all.some(({ entity: other }) => other.name === menu.tabOf) &&
    menu.tabOf !== 'settings'
  ) {
    findings.push(`${at} is a tab of "${menu.tabOf}", which no definition shows.`)
  }
  return findings
}
