import { emptyValue, type FieldDescription, isConcealed } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { ApiError } from '../wire/apiError.ts'
import { entriesOf, parseJson } from '../wire/parseJson.ts'
import { readJson } from '../wire/readJson.ts'
import { mismatch } from '../wire/readTyped.ts'
import { fieldKinds } from './kinds/fieldKinds.ts'
import type { Form, Row } from './row.ts'

export interface FormReader {
  /**
   * Reads the body of a create or an update of an entity that real servers have too. The result holds the fields that
   * were given; unknown keys are ignored and names match in any case, as on real servers.
   * @throws ApiError in the contract's words for a body that is not JSON or has a value of another type
   */
  readForm(body: unknown): Form
  /**
   * Reads the body of a create or an update of an entity that only this server has; its schema checks the types.
   * Unknown keys are ignored, and `null` is the same as left out.
   * @throws ApiError for a body that is not JSON or not an object
   */
  parseForm(body: unknown): Form
  /** The form with zero values where nothing was given: an update replaces everything. */
  completeForm(given: Form): Form
  /**
   * Clients are not shown concealed fields and cannot send them back: where a form has nothing for one, the stored
   * value stays (docs/contract/CONTRACT.md#1-spec-vs-current-server, rows 11 and 12). It stays with its receiver: where
   * the form sends it elsewhere (`destination` of the entity), nothing is kept.
   */
  keepConcealed(form: Form, row: Row): Form
  /** The names of the stored secrets that `keepConcealed` does not keep. */
  lostSecrets(form: Form, row: Row): string[]
  /** The form without the fields that only travel with a save. */
  withoutTransient(form: Form): Form
}

export function createFormReader(entity: Entity, fields: readonly FieldDescription[]): FormReader {
  const formName = formNameOf(entity.name)
  const editable = fields.filter((field) => field.editable)
  const zeros = editable.map(({ name, kind, nullable }) => [name, nullable ? null : emptyValue(kind)] as const)
  const concealed = editable.filter(isConcealed).map(({ name }) => name)
  const transient = new Set(editable.filter((field) => field.transient).map(({ name }) => name))
  const fieldByName = new Map(
    editable.map((field) => [
      field.name.toLowerCase(),
      { name: field.name, read: fieldKinds[field.kind].reader(field, entity) },
    ]),
  )

  /** The form with what is stored for each of these fields that it leaves empty. */
  const withStored = (form: Form, row: Row, names: readonly string[]): Form => ({
    ...form,
    ...Object.fromEntries(names.filter((name) => !form[name]).map((name) => [name, row[name]])),
  })

  /** Whether the secrets of the form go where the stored ones go. An address may itself be one that was left out. */
  const isSentAsBefore = (form: Form, row: Row) =>
    entity.destination?.(withStored(form, row, concealed)) === entity.destination?.(row)

  return {
    readForm(body) {
      const node = parseJson(typeof body === 'string' ? body : '')
      if (node.kind === 'null') return {}
      if (node.kind !== 'object') throw mismatch(node.kind, `model.${formName}`, 'Go value')
      const form: { [name: string]: unknown } = {}
      for (const [key, value] of entriesOf(node)) {
        const field = fieldByName.get(key.toLowerCase())
        if (!field || value.kind === 'null') continue
        form[field.name] = field.read(value, `Go struct field ${formName}.${field.name}`)
      }
      return form
    },
    parseForm(body) {
      const value = readJson(body) ?? {}
      if (typeof value !== 'object' || Array.isArray(value)) throw new ApiError('the body must be an object')
      const given = editable.filter(({ name }) => isGiven(value as Form, name))
      return Object.fromEntries(
        given.map(({ name, kind }) => {
          const fieldValue = (value as Form)[name]
          fieldKinds[kind].check?.(fieldValue, name)
          return [name, fieldValue]
        }),
      )
    },
    completeForm: (given) => Object.fromEntries(zeros.map(([name, zero]) => [name, given[name] ?? zero])),
    keepConcealed: (form, row) => (isSentAsBefore(form, row) ? withStored(form, row, concealed) : form),
    lostSecrets: (form, row) =>
      isSentAsBefore(form, row) ? [] : concealed.filter((name) => !form[name] && Boolean(row[name])),
    withoutTransient: (form) => Object.fromEntries(Object.entries(form).filter(([name]) => !transient.has(name))),
  }
}

const isGiven = (form: Form, name: string) => Object.hasOwn(form, name) && form[name] !== null

const acronyms = new Set(['nat', 'ddns', 'waf'])

/** `server-group` is `ServerGroupForm` to clients of real servers. */
function formNameOf(entityName: string): string {
  const words = entityName.split('-').map((word) => {
    return acronyms.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1)
  })
  return `${words.join('')}Form`
}
