import { describeFields, isConcealed, jsonSchemaOf } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'
import { fieldsIn, type Values } from '../../../src/schemas/define/values.ts'
import { fromWireRow } from '../../../src/schemas/define/wireRows.ts'
import type { WireType } from '../../wire/parseJson.ts'
import {
  type ArgumentTypes,
  anyObject,
  argument,
  array,
  badArgument,
  type Caller,
  defineTool,
  integer,
  object,
  type Tool,
  ToolFailure,
} from './tool.ts'

/** Records of one answer. */
const pageSize = { byDefault: 100, most: 1000 }

/**
 * Asks a route of this server in the name of a caller, with the same token: its scope, its servers and the owner's rights
 * are judged there.
 * @param query by name; empty values are left out
 * @throws ToolFailure when it is refused
 */
export type AskRoute = (caller: Caller, path: string, query: Readonly<Record<string, string>>) => Promise<unknown>

/**
 * The tools that mirror the lists of an entity: `cron.list` and `cron.get`. They come from its schema, so that a new
 * entity has them as soon as its list has a scope.
 */
export function entityTools(entity: Entity, ask: AskRoute): Tool[] {
  const { name, api, scopes, id } = entity
  const { list: scope } = scopes
  // The contract has tools of its own for servers.
  if (!scope || name === 'server') return []
  const path = `/api/v1/${api.listPath}`
  const concealed = describeFields(entity).filter(isConcealed)
  const withoutSecrets = (row: unknown): Values => {
    const record = { ...fromWireRow(entity, row) }
    for (const { name } of concealed) delete record[name]
    return record
  }

  const page = {
    offset: argument.integer({ minimum: 0 }),
    limit: argument.integer({ minimum: 1, maximum: pageSize.most }),
  }
  const result = object({ records: array(anyObject), count: integer, total: integer }, ['records', 'count', 'total'])

  const whole = defineTool({
    name: `${name}.list`,
    description: `Lists the records of "${name}" that the owner of the token may see, from offset on. Secrets are left out.`,
    scope,
    input: page,
    outputSchema: result,
    async run({ offset = 0, limit }, { caller }) {
      const rows = listIn(await ask(caller, path, {}))
      const start = Math.max(0, offset)
      const records = rows.slice(start, start + sizeOf(limit)).map(withoutSecrets)
      return { records, count: records.length, total: rows.length }
    },
  })

  const filters = filtersOf(entity)
  const paged = defineTool({
    name: `${name}.list`,
    description: `Lists the records of "${name}" by pages, the latest first where they have a time. Secrets are left out.`,
    scope,
    input: { ...filters, ...page },
    outputSchema: result,
    async run({ offset = 0, limit, ...given }, { caller }) {
      const query = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, String(value ?? '')]))
      const bounds = { offset: String(Math.max(0, offset)), limit: String(sizeOf(limit)) }
      const { value, pagination } = fieldsIn(await ask(caller, path, { ...query, ...bounds }))
      const records = listIn(value).map(withoutSecrets)
      return { records, count: records.length, total: Number(fieldsIn(pagination).total ?? 0) }
    },
  })

  const get = defineTool({
    name: `${name}.get`,
    description: `Shows one record of "${name}" in full, but for its secrets.`,
    scope,
    input: { id: argument.id },
    required: ['id'],
    outputSchema: object({ record: anyObject }, ['record']),
    async run({ id = 0 }, { caller, note }) {
      if (id === 0) throw badArgument('id required')
      note({ target: `${name} ${id}` })
      const rows = listIn(await ask(caller, path, { id: String(id) }))
      const record = rows.map(withoutSecrets).find((candidate) => candidate.id === id)
      // The same answer for records that are hidden from the owner, so that it does not show that they exist.
      if (!record) throw new ToolFailure('invalid_args', `${name} id ${id} does not exist`)
      return { record }
    },
  })

  if (api.paging === 'window') return [paged]
  return id === 'id' ? [whole, get] : [whole]
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const sizeOf = (limit = 0) => (limit > 0 ? Math.min(limit, pageSize.most) : pageSize.byDefault)

/** The filters of a list that the server pages; all of them are texts. */
function filtersOf({ api }: Entity): ArgumentTypes {
  if (!api.filters) return {}
  const { properties = {} } = jsonSchemaOf(api.filters)
  const type: WireType = { kind: 'string' }
  return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, { type, schema }]))
}
