import type { z } from 'zod'
import { isReadOnly } from '../../schemas/define/access.ts'
import type { FieldDescription } from '../../schemas/define/describe.ts'
import { type Entity, recordName } from '../../schemas/define/entity.ts'
import { mapSecrets, withoutSecrets } from '../../schemas/define/innerSecrets.ts'
import { issueText } from '../../schemas/define/issueText.ts'
import type { Values } from '../../schemas/define/values.ts'
import { inOrder } from './changeOrder.ts'
import { configuredEntities, isDeletedByFile } from './configuredEntities.ts'
import { issuesOf } from './fileTypeProblem.ts'
import {
  configuredFields,
  fromFileValue,
  hasField,
  holdsSecret,
  isReservedVariable,
  isSecret,
  keptSecret,
  namesIn,
  namesOf,
  type RecordsByEntity,
  recordsNamed,
  type StoredRecord,
  sameFileValue,
  toFileValue,
  variablePattern,
} from './fileValues.ts'
import type { FieldChange, Plan, RecordChange } from './plan.ts'
import type { Problem, ProblemArgs, ProblemCode, Warning, WarningCode } from './problem.ts'
import type { Configuration, FileField, FileRecord } from './readConfiguration.ts'

export interface PlanOptions {
  /** Whether records are deleted that the file does not have, of the sections that it has. */
  prune?: boolean
  /** Whether the secrets of the file are sent for records that exist too; by default, for new ones only. */
  sendSecrets?: boolean
  /** Values of `${NAME}` in secrets. */
  variables?: Readonly<Record<string, string | undefined>>
  /** Default: as many as somebody reads. */
  maxProblems?: number
}

/**
 * Compares a file with what a server has. Records are found by their names; what the file leaves out stays: fields,
 * records and whole sections, unless `prune` says otherwise for records.
 * @param stored the records of the server, by entity; entities that it does not have are missing
 */
export function planConfiguration(file: Configuration, stored: RecordsByEntity, options: PlanOptions = {}): Plan {
  const steps = planSteps(file, stored, options)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same as steps of a record each, between which others can be served. */
export function* planSteps(
  { sections, problems: fileProblems }: Configuration,
  stored: RecordsByEntity,
  options: PlanOptions = {},
): Generator<void, Plan> {
  // Behind those that they refer to, whatever the order of the file is.
  const order = configuredEntities([...sections.keys()])
  const context = createContext(new Map(order.map((entity) => [entity, sections.get(entity) ?? []])), stored, options)
  for (const problem of fileProblems) context.report(problem.code, problem.args, problem.at)
  const matched = yield* context.match()
  const changes: RecordChange[] = []
  let unchanged = 0
  for (const [entity, records] of Map.groupBy(matched, ({ entity }) => entity)) {
    const ofEntity: RecordChange[] = []
    for (const { record, current } of records) {
      const change = current ? context.update(entity, record, current) : context.create(entity, record)
      if (change) ofEntity.push(change)
      else unchanged++
      yield
    }
    const { changes: sorted, circle } = inOrder(entity, ofEntity)
    for (const change of sorted) changes.push(change)
    if (circle) {
      const at = records.find(({ record }) => record.name === circle.name)?.record.at
      context.report('circular_reference', { section: entity.name, name: circle.name }, at)
    }
  }
  return {
    changes: [...changes, ...context.deletions()],
    unchanged,
    unlisted: options.prune ? [] : context.unlisted.map(({ entity, record }) => describe(entity, record)),
    problems: context.problems.toSorted((a, b) => lineOf(a) - lineOf(b)),
    warnings: context.warnings,
    variables: [...context.variables].sort(),
  }
}

const lineOf = ({ at }: Problem) => at?.line ?? 0

const describe = (entity: Entity, record: StoredRecord) => ({ entity: entity.name, name: recordName(entity, record) })

interface Matched {
  entity: Entity
  record: FileRecord
  current?: StoredRecord
}

function createContext(sections: Configuration['sections'], stored: RecordsByEntity, options: PlanOptions) {
  const { maxProblems = 100 } = options
  const problems: Problem[] = []
  const warnings: Warning[] = []
  const variables = new Set<string>()
  const unlisted: { entity: Entity; record: StoredRecord }[] = []
  /** Names after the plan: how many records have each, and one id; 0 stands for a new record. */
  const namesAfter = new Map<string, Map<string, { id: number; count: number }>>()
  const deletedNames = new Set<string>()
  const newNames = new Map<string, string>()

  const report = (code: ProblemCode, args: ProblemArgs = {}, at?: Problem['at']) => {
    if (problems.length < maxProblems) problems.push({ code, args, ...(at && { at }) })
  }
  const warn = (code: WarningCode, args: ProblemArgs, at?: Problem['at']) => {
    if (warnings.length < maxProblems) warnings.push({ code, args, ...(at && { at }) })
  }
  const key = (entity: string, id: number | string) => `${entity} ${id}`

  /** The names of the server's records, those that the file changes as it changes them. */
  const before = namesOf(stored)
  const nameOf = (entity: string, id: number) => newNames.get(key(entity, id)) ?? before(entity, id)
  const idOf = (entity: string, name: string) => namesAfter.get(entity)?.get(name)?.id

  function addName(entity: string, name: string, id: number): void {
    const names = namesAfter.get(entity) ?? new Map<string, { id: number; count: number }>()
    namesAfter.set(entity, names)
    names.set(name, { id, count: (names.get(name)?.count ?? 0) + 1 })
  }

  /** Finds the server's record for each record of the file, and the id that each name will have after the plan. */
  function* match(): Generator<void, Matched[]> {
    const matched: Matched[] = []
    for (const [entity, records] of sections) {
      const current = stored.get(entity.name)
      if (current) matched.push(...matchSection(entity, records, current))
      else if (records.length > 0) report('not_available', { section: entity.name }, records[0]?.at)
      yield
    }
    for (const [entity, records] of stored) {
      yield
      for (const { id, name } of records.named) {
        if (!deletedNames.has(key(entity, id))) addName(entity, newNames.get(key(entity, id)) ?? name, id)
      }
    }
    for (const { entity, record, current } of matched) if (!current) addName(entity.name, record.name, 0)
    return matched
  }

  function matchSection(
    entity: Entity,
    records: readonly FileRecord[],
    current: NonNullable<ReturnType<RecordsByEntity['get']>>,
  ): Matched[] {
    const listed = new Set<number>()
    const result = records.flatMap((record): Matched[] => {
      const { name, renamedFrom, at } = record
      const byName = recordsNamed(current, name)
      const found = byName.length > 0 || renamedFrom === undefined ? byName : recordsNamed(current, renamedFrom)
      for (const { id } of found) listed.add(id)
      if (found.length > 1) {
        report('ambiguous_record', { section: entity.name, name, count: found.length }, at)
        return []
      }
      const [match] = found
      if (match && isReadOnly(match)) {
        report('read_only', { section: entity.name, name }, at)
        return []
      }
      if (!match && !entity.api.verbs.includes('create')) {
        report('cannot_create', { section: entity.name, name }, at)
        return []
      }
      if (match) newNames.set(key(entity.name, match.id), name)
      return [{ entity, record, ...(match && { current: match }) }]
    })
    // Records that a file cannot create are not deleted either: the file could not bring them back.
    for (const record of isDeletedByFile(entity) ? current.all : []) {
      if (listed.has(record.id) || isReadOnly(record)) continue
      unlisted.push({ entity, record })
      if (options.prune) deletedNames.add(key(entity.name, record.id))
    }
    return result
  }

  /** Checks that each name in a value belongs to exactly one record. */
  function checkNames(field: FieldDescription, { value, at, entries }: FileField): void {
    for (const { to, name } of namesIn(field, value)) {
      const found = namesAfter.get(to)?.get(name)
      const args = { field: field.name, section: to, name, count: found?.count }
      const place = entries.get(name) ?? at
      if (found?.count === 1) continue
      if (found) report('ambiguous_reference', args, place)
      else if (recordsNamed(stored.get(to), name).some(({ id }) => deletedNames.has(key(to, id)))) {
        report('deleted_reference', args, place)
      } else report('unknown_reference', args, place)
    }
  }

  /** The text of a secret with the values of its variables; `undefined` when it stays as it is. */
  const secretText = (field: FieldDescription, given: FileField | undefined): string | undefined =>
    !given || given.value === keptSecret ? undefined : expanded(field, given, String(given.value))

  /**
   * A value with secrets in it: as it is shown, with an empty text in their place, and as it is sent, with the values of
   * their variables.
   */
  function innerSecrets(field: FieldDescription, given: FileField): { shown: unknown; sent: unknown; isSent: boolean } {
    const ways = field.secrets ?? []
    let isSent = false
    const sent = mapSecrets(given.value, ways, (text) => {
      const value = text === keptSecret ? '' : expanded(field, given, text)
      isSent ||= value !== ''
      return value
    })
    return { shown: withoutSecrets(given.value, ways), sent, isSent }
  }

  function expanded(field: FieldDescription, given: FileField, text: string): string {
    if (text !== '' && text.search(variablePattern) < 0) {
      warn('plain_secret', { field: field.name, variable: exampleVariable(field) }, given.at)
    }
    return text.replace(variablePattern, (variable, name: string) => {
      if (isReservedVariable(name)) {
        report('variable_reserved', { field: field.name, variable }, given.at)
        return ''
      }
      variables.add(name)
      const value = options.variables?.[name]
      if (!value) report('variable_missing', { field: field.name, variable }, given.at)
      return value ?? ''
    })
  }

  /** Whether an empty text clears a stored secret. Only servers that say which are set can do it. */
  function clears(field: FieldDescription, { at }: FileField, current: StoredRecord): boolean {
    const isSet = holdsSecret(current, field.name)
    if (isSet === undefined) warn('secret_stays', { field: field.name }, at)
    else if (isSet && field.required) report('secret_needed', { field: field.name }, at)
    return isSet === true
  }

  function create(entity: Entity, record: FileRecord): RecordChange {
    const fields: FieldChange[] = []
    const secrets: Record<string, string> = {}
    const form: Record<string, unknown> = {}
    for (const field of configuredFields(entity)) {
      const given = record.fields.get(field.name)
      if (isSecret(field)) {
        const text = secretText(field, given)
        const args = { field: field.name, variable: exampleVariable(field) }
        if (text !== undefined) form[field.name] = secrets[field.name] = text
        else if (field.required) report('secret_missing', args, given?.at ?? record.at)
        else if (given) warn('secret_unknown', args, given.at)
        if (text !== undefined) fields.push({ field: field.name, after: keptSecret })
        continue
      }
      if (!given) continue
      checkNames(field, given)
      const { shown, sent, isSent } = innerSecrets(field, given)
      if (isSent) secrets[field.name] = JSON.stringify(sent)
      // A new record has no id yet, and its place in the form needs one.
      form[field.name] = fromFileValue(field, sent, (to, name) => idOf(to, name) || 1)
      fields.push({ field: field.name, after: shown })
    }
    check(entity, record, form, (issue) => Boolean(form[String(issue.path[0])]) || !isAboutSecret(entity, issue))
    return {
      verb: 'create',
      entity: entity.name,
      name: record.name,
      fields,
      ...(Object.keys(secrets).length > 0 && { secrets }),
    }
  }

  function update(entity: Entity, record: FileRecord, current: StoredRecord): RecordChange | undefined {
    const fields: FieldChange[] = []
    const secrets: Record<string, string> = {}
    const form: Record<string, unknown> = { ...current }
    for (const field of configuredFields(entity)) {
      const given = record.fields.get(field.name)
      if (!given) continue
      if (isSecret(field) && given.value === '') {
        if (clears(field, given, current)) fields.push({ field: field.name, before: keptSecret, after: '' })
        form[field.name] = ''
        continue
      }
      if (isSecret(field)) {
        const text = options.sendSecrets ? secretText(field, given) : undefined
        if (text === undefined) continue
        form[field.name] = secrets[field.name] = text
        fields.push({ field: field.name, before: keptSecret, after: keptSecret })
        continue
      }
      checkNames(field, given)
      const value = toFileValue(field, current, nameOf)
      const isName = field.name === entity.nameField
      const stored = isName ? current[field.name] : value
      const asIs = { shown: withoutSecrets(given.value, field.secrets ?? []), isSent: false }
      const { shown, sent, isSent } = options.sendSecrets ? innerSecrets(field, given) : { ...asIs, sent: asIs.shown }
      const isSame = !isSent && sameFileValue(field, stored, isName ? record.name : shown)
      if (!hasField(field, current) || isSame) continue
      if (isSent) secrets[field.name] = JSON.stringify(sent)
      form[field.name] = fromFileValue(field, sent, (to, name) => idOf(to, name) || 1)
      fields.push({ field: field.name, before: stored, after: shown })
    }
    if (fields.length === 0) return undefined
    const changed = new Set(fields.map(({ field }) => field))
    check(entity, record, form, (issue) => changed.has(String(issue.path[0])))
    return {
      verb: 'update',
      entity: entity.name,
      name: record.name,
      id: current.id,
      fields,
      ...(Object.keys(secrets).length > 0 && { secrets }),
    }
  }

  /** Asks the entity's schema. @param counts which of its issues are about what the file says */
  function check(entity: Entity, record: FileRecord, form: Values, counts: (issue: z.core.$ZodIssue) => boolean): void {
    const { error } = entity.form.safeParse(form, { reportInput: true })
    for (const issue of error ? issuesOf(error) : []) {
      if (!counts(issue)) continue
      const field = String(issue.path[0])
      const at = record.fields.get(field)?.at ?? record.at
      report('invalid', { reason: issueText(issue, form), field, entity: entity.name, issue, form }, at)
    }
  }

  const deletions = (): RecordChange[] =>
    options.prune
      ? unlisted
          .map(
            ({ entity, record }): RecordChange => ({
              ...describe(entity, record),
              verb: 'delete',
              id: record.id,
              fields: [],
            }),
          )
          .reverse()
      : []

  return { problems, warnings, variables, unlisted, report, match, create, update, deletions }
}

/** Whether an issue is about a secret that is reported in words of its own. */
const isAboutSecret = (entity: Entity, issue: z.core.$ZodIssue) =>
  configuredFields(entity).some((field) => field.name === issue.path[0] && isSecret(field))

// Escaped: the dollar sign and the braces are part of the file, not of this template.
const exampleVariable = ({ name }: FieldDescription) => `$\{${name.toUpperCase()}}`
