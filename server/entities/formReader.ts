import { emptyValue, type FieldDescription, isConcealed } from '../../src/schemas/define/describe.ts'
import { type Entity, isSentElsewhere } from '../../src/schemas/define/entity.ts'
import { secretsIn, withStoredSecrets } from '../../src/schemas/define/innerSecrets.ts'
import { isObject } from '../../src/schemas/define/values.ts'
import { ApiError, readJson } from '../wire/apiCall.ts'
import { entriesOf, mismatch, parseJson } from '../wire/parseJson.ts'
import type { Form, Row } from './entityTable.ts'
import { fieldKinds } from './kinds/fieldKinds.ts'

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
   * value stays (docs/contract/CONTRACT.md#1-spec-vs-current-server, rows 11 and 12), unless its `clear_secrets` names
   * it. It stays with its receiver: where the form sends it elsewhere (`destination` of the entity), nothing is kept.
   * @throws ApiError when the record would be left without a field that it needs, such as the address itself, or when
   * `clear_secrets` names anything else
   */
  keepConcealed<F extends Form>(form: F, row: Row): F
  /** The form with the stored value of each field that it leaves out, and that clients may not know (`leftOut`). */
  keepLeftOut(form: Form, row: Row): Form
  /** The names of the stored secrets that `keepConcealed` does not keep, and that the form does not clear. */
  lostSecrets(form: Form, row: Row): string[]
  /** The form without the fields that only travel with a save. */
  withoutTransient(form: Form): Form
}

export function createFormReader(entity: Entity, fields: readonly FieldDescription[]): FormReader {
  const formName = formNameOf(entity.name)
  const editable = fields.filter((field) => field.editable)
  const zeros = editable.map(({ name, kind, nullable }) => [name, nullable ? null : emptyValue(kind)] as const)
  const concealed = editable.filter(isConcealed).map(({ name }) => name)
  const needed = editable.filter((field) => field.required && isConcealed(field)).map(({ name }) => name)
  const optional = concealed.filter((name) => !needed.includes(name))
  const inner = editable.flatMap(({ name, secrets = [] }) => (secrets.length > 0 ? [{ name, secrets }] : []))
  const kept = editable.filter(({ leftOut }) => leftOut === 'kept').map(({ name }) => name)
  const transient = new Set(editable.filter((field) => field.transient).map(({ name }) => name))
  const fieldByName = new Map(
    editable.map((field) => [
      field.name.toLowerCase(),
      { name: field.name, leftOut: field.leftOut, read: fieldKinds[field.kind].reader(field, entity) },
    ]),
  )

  /** The form with what is stored for each of these fields that it leaves empty. */
  const withStored = <F extends Form>(form: F, row: Row, names: readonly string[]): F => ({
    ...form,
    ...Object.fromEntries(names.filter((name) => !form[name]).map((name) => [name, row[name]])),
    ...Object.fromEntries(
      inner
        .filter(({ name }) => form[name])
        .map(({ name, secrets }) => [name, withStoredSecrets(form[name], row[name], secrets)]),
    ),
  })

  /** The secrets that the form clears. @throws ApiError for the name of another field */
  function clearedBy({ clear_secrets: names }: Form): readonly unknown[] {
    if (!Array.isArray(names)) return []
    const wrong: unknown = names.find((name) => !optional.includes(String(name)))
    if (wrong === undefined) return names
    const expected = optional.join(', ') || 'nothing'
    throw new ApiError(`clear_secrets: ${String(wrong).slice(0, 64)} cannot be cleared: expected ${expected}`)
  }

  /** Whether there are stored secrets within a value that the form leaves out. */
  const losesInner = (form: Form, row: Row, { name, secrets }: (typeof inner)[number]) =>
    Boolean(form[name]) &&
    secretsIn(withStoredSecrets(form[name], row[name], secrets), secrets).length > secretsIn(form[name], secrets).length

  /** Whether the secrets of the form go where the stored ones go. An address may itself be one that was left out. */
  const isSentAsBefore = (form: Form, row: Row) => !isSentElsewhere(entity, row, withStored(form, row, concealed))

  return {
    readForm(body) {
      const node = parseJson(typeof body === 'string' ? body : '')
      if (node.kind === 'null') return {}
      if (node.kind !== 'object') throw mismatch(node.kind, `model.${formName}`, 'Go value')
      const form: { [name: string]: unknown } = {}
      for (const [key, value] of entriesOf(node)) {
        const field = fieldByName.get(key.toLowerCase())
        if (!field) continue
        if (value.kind === 'null') {
          if (field.leftOut === 'kept') form[field.name] = null
          continue
        }
        form[field.name] = field.read(value, `Go struct field ${formName}.${field.name}`)
      }
      return form
    },
    parseForm(body) {
      const value = readJson(body) ?? {}
      if (!isObject(value)) throw new ApiError('the body must be an object')
      const given = editable.filter(({ name }) => isGiven(value, name))
      return Object.fromEntries(
        given.map(({ name, kind }) => {
          const fieldValue = value[name]
          fieldKinds[kind].check?.(fieldValue, name)
          return [name, fieldValue]
        }),
      )
    },
    completeForm: (given) => Object.fromEntries(zeros.map(([name, zero]) => [name, given[name] ?? zero])),
    keepConcealed(form, row) {
      const cleared = clearedBy(form)
      if (isSentAsBefore(form, row))
        return withStored(
          form,
          row,
          concealed.filter((name) => !cleared.includes(name)),
        )
      refuseLostSecrets(lost(form, row, needed))
      return form
    },
    keepLeftOut: (form, row) => ({
      ...form,
      ...Object.fromEntries(kept.filter((name) => !Object.hasOwn(form, name)).map((name) => [name, row[name]])),
    }),
    lostSecrets(form, row) {
      if (isSentAsBefore(form, row)) return []
      const cleared = clearedBy(form)
      const innerLost = inner.filter((field) => losesInner(form, row, field)).map(({ name }) => name)
      return [...lost(form, row, concealed).filter((name) => !cleared.includes(name)), ...innerLost]
    },
    withoutTransient: (form) => Object.fromEntries(Object.entries(form).filter(([name]) => !transient.has(name))),
  }
}

const lost = (form: Form, row: Row, names: readonly string[]) =>
  names.filter((name) => !form[name] && Boolean(row[name]))

/** @throws ApiError with the names of these fields, if there are any */
export function refuseLostSecrets(names: readonly string[]): void {
  const fields = names.join(', ')
  if (fields === '') return
  throw new ApiError(
    `${fields}: what is stored was given for another receiver and is not sent to this one: give it again`,
  )
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
