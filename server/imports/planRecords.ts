import { configuredEntities } from '../../src/domain/configuration/configuredEntities.ts'
import { fileTypeProblem } from '../../src/domain/configuration/fileTypeProblem.ts'
import {
  configuredFields,
  isSecret,
  namesOf,
  type RecordsByEntity,
  recordsNamed,
  type StoredRecord,
  storedRecords,
  toFileValue,
} from '../../src/domain/configuration/fileValues.ts'
import type { RecordChange } from '../../src/domain/configuration/plan.ts'
import { planSteps } from '../../src/domain/configuration/planConfiguration.ts'
import type { Problem } from '../../src/domain/configuration/problem.ts'
import type { FileField, FileRecord } from '../../src/domain/configuration/readConfiguration.ts'
import type { FieldDescription } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { withoutSecrets } from '../../src/schemas/define/innerSecrets.ts'
import { notificationGroup } from '../../src/schemas/notificationGroup.ts'
import { server as serverEntity } from '../../src/schemas/server.ts'
import { serverGroup } from '../../src/schemas/serverGroup.ts'
import { isEmpty } from '../wire/apiCall.ts'
import type { ImportNames } from './importNames.ts'
import type { ImportData, ImportedRecord, ImportedServer, Skipped } from './readers/importData.ts'

/** What an import does to the records that a configuration file has too. */
export interface PlannedRecords {
  /** In an order that keeps references whole. A server that is not there yet has a placeholder as its id. */
  changes: readonly RecordChange[]
  /** The servers that are not there yet, by that id. */
  newServers: ReadonlyMap<number, ImportedServer>
  unchanged: number
  skipped: readonly Skipped[]
}

/**
 * Plans what a file has as if it were a configuration file: its records by name, with names in place of ids. A record that
 * cannot be here is left out and named, and so is a reference to it. A step is a record.
 */
export function* planRecords(
  data: ImportData,
  names: ImportNames,
  here: RecordsByEntity,
): Generator<void, PlannedRecords> {
  const skipped: Skipped[] = []
  const entities = new Map(configuredEntities().map((entity) => [entity.name, entity]))
  const newServers = new Map<number, ImportedServer>()
  const variables: Record<string, string> = {}
  for (const server of data.servers)
    if (!names.serverOf(server)) newServers.set(firstPlaceholder + newServers.size, server)

  /** By their line, which is a number of their own: problems have nothing else to name them by. */
  const given = new Map<number, { entity: Entity; record: FileRecord }>()
  for (const record of [...data.servers, ...data.records]) {
    const entity = entities.get(record.entity)
    if (!entity) throw new Error(`A configuration has no ${record.entity}.`)
    const line = given.size + 1
    const read = fileRecord(record, entity, line, names, variables, here)
    if ('code' in read) skipped.push(read)
    else given.set(line, { entity, record: read })
    yield
  }

  const stored = withNewServers(here, newServers, names)
  for (;;) {
    const plan = yield* planSteps({ sections: sectionsOf(given.values()), problems: [] }, stored, {
      variables,
      maxProblems: Number.POSITIVE_INFINITY,
    })
    if (plan.problems.length === 0) {
      const { changes, unchanged } = plan
      const changed = new Set(changes.map(({ id }) => id))
      const unchangedNew = [...newServers.keys()].filter((id) => !changed.has(id)).length
      return { changes, newServers, unchanged: unchanged - unchangedNew, skipped }
    }
    const left = plan.problems.flatMap((problem) => leaveOut(problem, given))
    if (left.length === 0) throw new Error('An import cannot be planned: what is wrong is in none of its records.')
    skipped.push(...left)
  }
}

/** No server gets as many rows. */
const firstPlaceholder = 2 ** 40

/** A record as a configuration file would have it, or why it cannot be. */
function fileRecord(
  { name: ownName, id, values, entity: entityName }: ImportedRecord,
  entity: Entity,
  line: number,
  { nameOf }: ImportNames,
  variables: Record<string, string>,
  here: RecordsByEntity,
): FileRecord | Skipped {
  const name = nameOf(entityName, id) ?? ownName
  const [recordHere] = recordsNamed(here.get(entityName), name)
  const at = { line, column: 1 }
  const fields = new Map<string, FileField>()
  const add = (field: string, value: unknown) => fields.set(field, { value, at, entries: new Map() })
  for (const field of configuredFields(entity)) {
    if (field.name === entity.nameField) add(field.name, name)
    else if (isSecret(field)) {
      const text = String(values[field.name] ?? '')
      if (text === '' && !field.required) continue
      const variable = `SECRET_${line}_${fields.size}`
      if (text !== '') variables[variable] = text
      // By a variable, so that nothing in it is taken for one.
      add(field.name, text === '' ? '' : `$\{${variable}}`)
    } else if (values[field.name] !== undefined) {
      const read = toFileValue(field, values, nameOf)
      if (read === undefined) continue
      const value = recordHere ? besideWhatIsHere(read, field, entity, recordHere, here) : read
      const problem = fileTypeProblem(field, value)
      if (problem) return { entity: entityName, name, code: problem.code, args: plainArgs(problem) }
      add(field.name, value)
    }
  }
  return { name, at, fields }
}

/** A value of a record that is here already: its secrets stay, as those that are fields, and so do members of a group. */
function besideWhatIsHere(
  read: unknown,
  field: FieldDescription,
  { name: entityName }: Entity,
  record: StoredRecord,
  here: RecordsByEntity,
): unknown {
  if (groups.has(entityName) && Array.isArray(read)) {
    const members = toFileValue(field, record, namesOf(here))
    return [...new Set([...(Array.isArray(members) ? members : []), ...read])]
  }
  return field.secrets ? withoutSecrets(read, field.secrets) : read
}

const groups: ReadonlySet<string> = new Set([serverGroup.name, notificationGroup.name])

function sectionsOf(given: Iterable<{ entity: Entity; record: FileRecord }>): Map<Entity, FileRecord[]> {
  const sections = new Map<Entity, FileRecord[]>()
  for (const { entity, record } of given) {
    const section = sections.get(entity)
    if (section) section.push(record)
    else sections.set(entity, [record])
  }
  return sections
}

/** As they will be once they are made, before they get what the file says of them. */
function withNewServers(
  stored: RecordsByEntity,
  newServers: ReadonlyMap<number, ImportedServer>,
  { nameOf }: ImportNames,
): RecordsByEntity {
  const made = [...newServers].map(([id, server]): StoredRecord => {
    // A field that not all servers know is planned only where a record has it.
    return { id, name: nameOf('server', server.id), contract: null }
  })
  const all = [...(stored.get(serverEntity.name)?.all ?? []), ...made]
  return new Map([...stored, [serverEntity.name, storedRecords(serverEntity, all)]])
}

/** Leaves out what a problem is about: a name that leads nowhere or, if that is not possible, the record. */
function leaveOut(problem: Problem, given: Map<number, { entity: Entity; record: FileRecord }>): Skipped[] {
  const { code, args, at } = problem
  const line = at?.line ?? 0
  const found = given.get(line)
  // Another problem of the same record has taken it out.
  if (!found) return []
  const { entity, record } = found
  const without = isAboutName(code) && withoutName(record, String(args.field), String(args.name))
  if (without) given.set(line, { entity, record: without })
  else given.delete(line)
  return [{ entity: entity.name, name: record.name, code, args: plainArgs(problem) }]
}

const isAboutName = (code: Problem['code']) => code === 'unknown_reference' || code === 'ambiguous_reference'

/** The record without a name in a list of names; `undefined` where the value has another form. */
function withoutName(record: FileRecord, field: string, name: string): FileRecord | undefined {
  const given = record.fields.get(field)
  if (!given) return undefined
  const { value } = given
  const isList = Array.isArray(value) && value.includes(name)
  if (!isList && value !== name) return undefined
  const rest = isList ? value.filter((one) => one !== name) : null
  return { ...record, fields: new Map([...record.fields, [field, { ...given, value: rest }]]) }
}

/** What stands in the sentence, without the form and its values, in which there are secrets. */
function plainArgs({ args }: Pick<Problem, 'args'>): NonNullable<Skipped['args']> {
  const { issue, form, ...plain } = args
  if (typeof issue !== 'object' || issue === null) return plain
  const { input: _, ...rule } = { input: undefined, ...issue }
  const value = typeof form === 'object' && form !== null ? Reflect.get(form, String(args.field)) : undefined
  return { ...plain, issue: rule, filled: !isEmpty(value) }
}
