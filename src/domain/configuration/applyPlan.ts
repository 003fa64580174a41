import type { z } from 'zod'
import { describeFields } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { issueText } from '../../schemas/define/issueText.ts'
import { isObject, type Values } from '../../schemas/define/values.ts'
import { fileTypeProblem, issuesOf } from './fileTypeProblem.ts'
import {
  configuredFields,
  fromFileValue,
  type IdOf,
  isSecret,
  type NameOf,
  namesIn,
  type RecordsByEntity,
} from './fileValues.ts'
import type { RecordChange } from './plan.ts'
import { problemText } from './problem.ts'

/** One call of the API. */
export type Operation =
  | { verb: 'create'; entity: Entity; change: RecordChange; body: Values }
  | { verb: 'update'; entity: Entity; change: RecordChange; id: number; body: Values }
  | { verb: 'delete'; entity: Entity; change: RecordChange; id: number }

/**
 * The calls that carry out a plan, in an order that keeps all references valid. The caller passes the id of each record
 * that was created to `next`.
 * @param stored the records for which the plan was made
 * @param entityOf finds an entity by its name
 */
export function* operationsOf(
  changes: readonly RecordChange[],
  stored: RecordsByEntity,
  entityOf: (name: string) => Entity,
): Generator<Operation, void, number | undefined> {
  const ids = new Map<string, Map<string, number>>()
  for (const [entity, { named }] of stored) ids.set(entity, new Map(named.map(({ id, name }) => [name, id])))
  const idOf: IdOf = (entity, name) => ids.get(entity)?.get(name)
  for (const { entity, name, id } of changes) if (id !== undefined) ids.get(entity)?.set(name, id)

  for (const change of changes) {
    const { verb, id = 0 } = change
    const entity = entityOf(change.entity)
    if (verb === 'delete') yield { verb, entity, change, id }
    else if (verb === 'update') yield { verb, entity, change, id, body: bodyOf(entity, change, idOf) }
    else {
      const body = parsed(entity.form, bodyOf(entity, change, idOf), change) as Values
      const created = yield { verb, entity, change, body }
      if (created !== undefined) ids.get(change.entity)?.set(change.name, created)
    }
  }
}

/** The names of records when these changes are carried out. */
export function namesAfter(changes: readonly RecordChange[], before: NameOf): NameOf {
  const names = new Map(changes.map(({ entity, id, name }) => [`${entity} ${id}`, name]))
  return (entity, id) => names.get(`${entity} ${id}`) ?? before(entity, id)
}

/** The fields of a change as they are sent. @throws PlanError */
function bodyOf(entity: Entity, change: RecordChange, idOf: IdOf): Values {
  const described = new Map(configuredFields(entity).map((field) => [field.name, field]))
  const body = new Map<string, unknown>()
  const cleared: string[] = []
  for (const { field: name, after } of change.fields) {
    const field = described.get(name)
    if (!field) throw new PlanError(change, `there is no field ${name}`)
    const problem = fileTypeProblem(field, after)
    if (problem) throw new PlanError(change, problemText(problem))
    const lost = namesIn(field, after).find((mentioned) => idOf(mentioned.to, mentioned.name) === undefined)
    if (lost) throw new PlanError(change, `${name}: there is no ${lost.to} "${lost.name}" any more`)
    if (isSecret(field) && after === '') cleared.push(name)
    const secret = change.secrets?.[name]
    const value = isSecret(field) ? (secret ?? after) : fromFileValue(field, withSecrets(after, secret), idOf)
    body.set(name, parsed(entity.form.shape[name], value, change, name))
  }
  if (cleared.length > 0) body.set('clear_secrets', parsed(entity.form.shape.clear_secrets, cleared, change))
  for (const { name, unattended } of describeFields(entity)) if (unattended !== undefined) body.set(name, unattended)
  return Object.fromEntries(body)
}

/** The whole value where there are secrets within it. */
const withSecrets = (after: unknown, json: string | undefined): unknown =>
  json === undefined ? after : JSON.parse(json)

/** @param field the field that the value is of; left out for a whole form */
function parsed(schema: z.ZodType, value: unknown, change: RecordChange, field?: string): unknown {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [issue] = issuesOf(error)
  if (!issue) return withDecimals(schema, value, error)
  const [path, form] = field === undefined ? [issue.path, value] : [[field, ...issue.path], { [field]: value }]
  throw new PlanError(change, issueText({ ...issue, path }, isObject(form) ? form : {}))
}

/** The value as the schema reads it, with the numbers as they are that it takes as whole ones only. */
function withDecimals(schema: z.ZodType, value: unknown, { issues }: z.ZodError): unknown {
  if (!isObject(value)) return value
  const decimals = Object.fromEntries(issues.map(({ path }) => [String(path[0]), value[String(path[0])]]))
  const whole = Object.fromEntries(Object.entries(decimals).map(([name, number]) => [name, Math.round(Number(number))]))
  const read = schema.parse({ ...value, ...whole })
  return isObject(read) ? { ...read, ...decimals } : read
}

/** A change that does not fit what the server has. */
export class PlanError extends Error {
  constructor({ entity, name }: RecordChange, reason: string) {
    super(`${entity} "${name}": ${reason}`)
  }
}
