import type { z } from 'zod'
import {
  describeFields,
  type FieldDescription,
  isConcealed,
  type JsonSchema,
  jsonSchemaOf,
  type Reference,
  referencesOf,
} from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { limits } from '../../src/schemas/define/fields.ts'
import { withoutSecrets } from '../../src/schemas/define/innerSecrets.ts'
import { issueText } from '../../src/schemas/define/issueText.ts'
import { sameValue, type Values } from '../../src/schemas/define/values.ts'
import type { TableDefinition } from '../db/table.ts'
import { ApiError, isEmpty } from '../wire/apiCall.ts'
import { type Form, type ResponseRow, type Row, tableOf } from './entityTable.ts'
import { createFormReader, type FormReader } from './formReader.ts'
import { fieldKinds } from './kinds/fieldKinds.ts'

const stamps = ['id', 'created_at', 'updated_at']

/**
 * Gives a function that writes a stored record as replies have it: without its owner and its secrets, and without
 * empty values where the contract omits them.
 */
function createRowEncoder(fields: readonly FieldDescription[]): (row: Row) => ResponseRow {
  const sent = fields.filter(({ name, transient }) => !stamps.includes(name) && !transient)
  const names = [...stamps, ...sent.map(({ name }) => name)]
  // Fields that only newer servers have are always sent: by them clients recognise a newer server.
  const omittable = new Set(sent.filter((field) => field.omittable && !field.newer).map(({ name }) => name))
  const concealed = new Set(sent.filter(isConcealed).map(({ name }) => name))
  const inner = new Map(sent.flatMap(({ name, secrets }) => (secrets ? [[name, secrets] as const] : [])))

  return (row) => {
    const encoded: { [name: string]: unknown } = {}
    for (const name of names) {
      const ways = inner.get(name)
      const value = concealed.has(name) ? '' : ways ? withoutSecrets(row[name], ways) : row[name]
      if (!omittable.has(name) || !isEmpty(value)) encoded[name] = value
    }
    return encoded
  }
}

/** What the server needs of an entity, derived once from the descriptions of its fields. */
interface CompiledEntity extends FormReader {
  limits: FieldLimits
  encodeRow(row: Row): ResponseRow
  table: TableDefinition
  /** The places in its form that hold ids of other records. */
  references: readonly FormReference[]
  /** JSON Schema of its list, for openapi.json. */
  listSchema(): Values
}

export interface FormReference extends Reference {
  /** Whether the id 0 means none. */
  isOptional: boolean
}

const compiledEntities = new WeakMap<Entity, CompiledEntity>()

export function compileEntity(entity: Entity): CompiledEntity {
  let compiled = compiledEntities.get(entity)
  if (!compiled) {
    const fields = describeFields(entity)
    compiled = {
      ...createFormReader(entity, fields),
      limits: createFieldLimits(fields),
      encodeRow: createRowEncoder(fields),
      table: tableOf(entity),
      references: formReferences(entity, fields),
      listSchema: () => listSchema(entity, fields),
    }
    compiledEntities.set(entity, compiled)
  }
  return compiled
}

function formReferences(entity: Entity, fields: readonly FieldDescription[]): FormReference[] {
  return referencesOf(entity).flatMap((reference) => {
    const field = fields.find(({ name }) => name === reference.field)
    return field?.editable ? [{ ...reference, isOptional: field.kind === 'ref' && !field.required }] : []
  })
}

/**
 * JSON Schema of an entity's list as servers send it. Records that are read may hold more than a form accepts: they may
 * be older than a rule or come from another server; secrets are hidden, and empty values are left out.
 */
function listSchema(entity: Entity, fields: readonly FieldDescription[]): Values {
  const { row: codec } = entity.api
  const wrapped = codec && withoutDialect(jsonSchemaOf(codec))
  // A codec that only renames members describes none of them.
  const row = wrapped && Object.keys(wrapped.properties ?? {}).length > 0 ? wrapped : undefined
  return { type: 'array', items: row ?? rowSchema(entity, fields) }
}

function rowSchema(entity: Entity, fields: readonly FieldDescription[]): Values {
  const { properties = {} } = jsonSchemaOf(entity.computed)
  const edited = fields.filter(({ editable, transient }) => editable && !transient)
  return {
    type: 'object',
    required: 'id' in properties ? ['id'] : [],
    properties: {
      ...properties,
      ...Object.fromEntries(edited.map((field) => [field.name, fieldKinds[field.kind].schema(field)])),
    },
  }
}

/** The dialect is named once for the whole document. */
function withoutDialect({ $schema: _dialect, ...json }: JsonSchema): JsonSchema {
  return json
}

/** Keeps what people store within the limits of their fields, and lists readable where older databases hold more. */
interface FieldLimits {
  /**
   * Refuses values that are longer than their field allows, and lets those pass that are stored already.
   * @throws ApiError `name must have at most 128 characters`
   */
  check(form: Form, stored?: Form): void
  /** A row as lists have it: with the beginning of a value that is longer than any form could have made it. */
  cut(row: Row): Row
  /** The form with the whole value where it has the beginning of it, as a list had it. */
  keepCut(form: Form, row: Row): Form
}

function createFieldLimits(fields: readonly FieldDescription[]): FieldLimits {
  const editable = fields.filter((field) => field.editable)
  const cutRows = new WeakMap<Row, Row>()

  function cut(row: Row): Row {
    const cached = cutRows.get(row)
    if (cached) return cached
    const changes = editable.flatMap((field) => {
      const value = beginningOf(field, row[field.name])
      return value === row[field.name] ? [] : [[field.name, value] as const]
    })
    const result = changes.length > 0 ? { ...row, ...Object.fromEntries(changes) } : row
    cutRows.set(row, result)
    return result
  }

  return {
    cut,
    check(form, stored = {}) {
      for (const field of editable) {
        const value = form[field.name]
        const limit = exceededLimit(field, value)
        if (limit && !sameValue(value, stored[field.name])) throw new ApiError(`${field.name} must have ${limit}`)
      }
    },
    keepCut(form, row) {
      const shown = cut(row)
      if (shown === row) return form
      const names = editable.map(({ name }) => name).filter((name) => shown[name] !== row[name])
      const unchanged = names.filter((name) => name in form && sameValue(form[name], shown[name]))
      return { ...form, ...Object.fromEntries(unchanged.map((name) => [name, row[name]])) }
    },
  }
}

/** The limit that a value exceeds, in words. */
function exceededLimit(field: FieldDescription, value: unknown): string | undefined {
  const { kind, maxLength = Infinity, maxEntries = Infinity, maxEntryLength = Infinity } = field
  if (typeof value === 'string') return value.length > maxLength ? `at most ${maxLength} characters` : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (entriesOf(value).length > maxEntries) return `at most ${maxEntries} entries`
  if (maxEntryLength < Infinity && entriesOf(value).some((entry) => String(entry).length > maxEntryLength)) {
    return `at most ${maxEntryLength} characters in each entry`
  }
  return kind === 'json' && jsonLength(value) > maxLength ? `at most ${maxLength} characters as JSON` : undefined
}

const entriesOf = (value: object): readonly unknown[] => (Array.isArray(value) ? value : Object.keys(value))
const jsonLength = (value: unknown) => JSON.stringify(value)?.length ?? 0

/** Well-formed, so that it comes back from a client as it went. */
const shortened = (text: string, length: number) => `${text.slice(0, length - 1).toWellFormed()}…`

function beginningOf({ maxLength = limits.body, maxEntries = 0 }: FieldDescription, value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxLength ? shortened(value, maxLength) : value
  if (typeof value !== 'object' || value === null || jsonLength(value) <= limits.body) return value
  const beginning = Array.isArray(value)
    ? value.slice(0, maxEntries)
    : Object.fromEntries(Object.entries(value).slice(0, maxEntries))
  return jsonLength(beginning) <= limits.body ? beginning : null
}

/**
 * Checks the texts of a form that the contract, and not the schema, judges otherwise: what is typed into the form of the
 * console and what is sent has one rule. Real servers take anything. What is left out, empty or stored already passes: the
 * contract's own samples have records without a name.
 * @throws ApiError with one sentence that names the first wrong field
 */
export function checkTexts(entity: Entity, given: Form, stored: Form = {}): void {
  for (const [field, value] of Object.entries(given)) {
    const schema: z.ZodType | undefined = entity.form.shape[field]
    if (!schema || typeof value !== 'string' || value === '' || value === stored[field]) continue
    const issue = schema.safeParse(value).error?.issues[0]
    if (issue) throw new ApiError(issueText({ ...issue, path: [field, ...issue.path] }, given))
  }
}

/**
 * Validates a form with its entity's schema and returns what to save, defaults included.
 * @throws ApiError with one sentence that names the first wrong field
 */
export function validateForm(entity: Entity, given: Form): Form {
  const result = entity.form.safeParse(given)
  if (result.success) return result.data
  throw new ApiError(issueText(result.error.issues[0] as z.core.$ZodIssue, given))
}
