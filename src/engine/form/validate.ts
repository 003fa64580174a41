import type { z } from 'zod'
import type { TextArgs } from '../../../i18n/fillText.ts'
import { describeField, describeFields, emptyValue, isEmptyInput } from '../../schemas/define/describe.ts'
import type { Entity } from '../../schemas/define/entity.ts'
import { sameValue, type Values } from '../../schemas/define/values.ts'
import { kindValues } from '../kinds/values.ts'

/** An error of a field: a text key with its arguments, so that it follows the language. */
export interface FieldError {
  message: string
  args?: TextArgs
}

type Checked = { values: Values; errors?: undefined } | { values?: undefined; errors: Record<string, FieldError> }

/**
 * Checks a form by the entity's schema. Blank text counts as absent where the schema allows absence, and number
 * inputs are read as numbers.
 *
 * @param touched the fields to judge; a stored value that today's rules would refuse may stay while nobody touches it
 * @returns the parsed values of all fields that were judged, or an error for each field that failed
 */
export function validate(entity: Entity, values: Values, touched: readonly string[]): Checked {
  const judged = new Set(touched)
  const result = entity.form.safeParse(readable(entity, values), { reportInput: true })
  const issues = result.success
    ? []
    : result.error.issues.filter((issue) => fieldsOf(issue).some((name) => judged.has(name)))
  if (issues.length > 0) {
    const errors: Record<string, FieldError> = {}
    for (const issue of issues) errors[String(issue.path[0])] ??= issueMessage(issue, entity, values)
    return { errors }
  }
  return { values: parsedOf(entity, readable(entity, values), touched) }
}

/** The fields by whose change an issue comes up: its own and, where a rule looks at several, those beside it. */
function fieldsOf(issue: z.core.$ZodIssue): string[] {
  const params: CustomParams = issue.code === 'custom' ? (issue.params ?? {}) : {}
  return [String(issue.path[0]), ...(params.validatedWith ?? [])]
}

/**
 * The `params` of a schema's own rule: the text of its error, the other fields that it reads, and the text's arguments.
 */
interface CustomParams {
  key?: string
  validatedWith?: readonly string[]
  [argument: string]: unknown
}

/** Parses each field by itself: an untouched value of another field could make the whole form fail. */
function parsedOf(entity: Entity, values: Values, touched: readonly string[]): Values {
  const shape: Readonly<Record<string, z.ZodType>> = entity.form.shape
  return Object.fromEntries(touched.map((name) => [name, shape[name]?.parse(values[name])]))
}

/** What inputs hold, as the schema expects to read it. */
function readable(entity: Entity, values: Values): Values {
  const shape: Readonly<Record<string, z.ZodType>> = entity.form.shape
  return Object.fromEntries(
    describeFields(entity)
      .filter(({ editable }) => editable)
      .map(({ name, kind }) => {
        const value = values[name]
        const { readText } = kindValues[kind]
        const isText = typeof value === 'string' && !readText
        if (isEmptyInput(kind, value)) return [name, emptyFor(shape[name], isText ? '' : readText ? undefined : value)]
        return [name, readText && typeof value === 'string' ? readText(value) : value]
      }),
  )
}

/**
 * What an empty input is to the schema: "nothing" of its kind where the schema takes that, else an absent value, else
 * `null`. Cleared text is saved as cleared: an absent value would be replaced by the default.
 */
function emptyFor(schema: z.ZodType | undefined, empty: unknown): unknown {
  const accepted = [empty ?? undefined, undefined, null].filter((value) => schema?.safeParse(value).success)
  // Where none is accepted, the schema says what is wrong with empty text.
  return accepted.length > 0 ? accepted[0] : empty === '' ? '' : undefined
}

function invalidFormat(entity: Entity, path: readonly PropertyKey[]): string | undefined {
  const field = path.length === 1 ? describeField(entity, String(path[0])) : undefined
  return field && kindValues[field.kind].invalidFormat
}

/** Whether nothing was entered or chosen where something must be. */
function isMissing({ path }: z.core.$ZodIssue, entity: Entity, values: Values): boolean {
  const field = path.length === 1 ? describeField(entity, String(path[0])) : undefined
  if (!field?.required) return false
  const value = values[field.name]
  // A list in JSON says in its own rule what it needs.
  return isEmptyInput(field.kind, value) || (field.kind !== 'json' && Array.isArray(value) && value.length === 0)
}

/** What a form says of an issue of its schema, which was parsed with `reportInput`. */
export function issueMessage(issue: z.core.$ZodIssue, entity: Entity, values: Values): FieldError {
  if (isMissing(issue, entity, values)) return { message: 'validation.required' }
  switch (issue.code) {
    case 'too_small':
      return { message: tooSmall[issue.origin] ?? 'validation.min_value', args: { min: Number(issue.minimum) } }
    case 'too_big':
      if (issue.origin === 'int') return { message: 'validation.number' }
      return { message: tooBig[issue.origin] ?? 'validation.max_value', args: { max: Number(issue.maximum) } }
    case 'invalid_type':
      if (issue.input === undefined) return { message: 'validation.required' }
      if (issue.expected === 'int') return { message: 'validation.integer' }
      return { message: issue.expected === 'number' ? 'validation.number' : 'validation.invalid' }
    case 'not_multiple_of':
      return issue.divisor === 1 ? { message: 'validation.integer' } : { message: 'validation.invalid' }
    case 'invalid_format':
      return { message: invalidFormat(entity, issue.path) ?? 'validation.invalid' }
    case 'custom': {
      const { key, validatedWith: _, ...args }: CustomParams = issue.params ?? {}
      return { message: key ?? 'validation.invalid', args: textArgsIn(args) }
    }
    default:
      return { message: 'validation.invalid' }
  }
}

/** What of a rule's params can stand in a text. */
const textArgsIn = (params: Values): TextArgs =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  )

/** Texts for values that are too small or too big, where they are no numbers. */
const tooSmall: Readonly<Record<string, string>> = { string: 'validation.min_length', array: 'validation.min_entries' }
const tooBig: Readonly<Record<string, string>> = { string: 'validation.max_length', array: 'validation.max_entries' }

/** In the notation that react-admin's ValidationError translates when it is drawn: errors follow the language. */
export function asFormErrors(errors: Record<string, FieldError>) {
  return Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [
      name,
      { type: 'validate', message: `@@react-admin@@${JSON.stringify(error)}` },
    ]),
  )
}

/** The values of a form that creates: the schema's default, else the empty value of the field's kind. */
export function initialValues(entity: Entity): Values {
  return valuesFrom(entity, ({ initial, kind, newer }) =>
    // An older server does not know this field: it is sent only when somebody sets it.
    newer ? undefined : structuredClone(initial ?? emptyValue(kind)),
  )
}

/** The values of a form that edits: the record's own; what the wire left out has the empty value of its kind. */
export function valuesOf(entity: Entity, record: Values): Values {
  return valuesFrom(entity, ({ name, kind }) => record[name] ?? emptyValue(kind))
}

/** The fields whose values have changed: only these are validated and sent on an edit. */
export function changesBetween(before: Values, after: Values): Values {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !sameValue(before[name], value)))
}

type EditableField = ReturnType<typeof describeFields>[number]

function valuesFrom(entity: Entity, valueFor: (field: EditableField) => unknown): Values {
  const editable = describeFields(entity).filter((field) => field.editable)
  return Object.fromEntries(editable.map((field) => [field.name, valueFor(field)]))
}
