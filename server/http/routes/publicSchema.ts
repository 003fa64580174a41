import { choicesText, type JsonSchema } from '../../../src/schemas/define/describe.ts'
import type { FieldFacts } from '../../../src/schemas/define/fields.ts'
import { fieldsIn, isObject } from '../../../src/schemas/define/values.ts'

/** What becomes of each fact that this project adds to JSON Schema: only some are words of JSON Schema themselves. */
const isStandard: Readonly<Record<keyof FieldFacts, boolean>> = {
  kind: false,
  to: false,
  choices: false,
  concealedBy: false,
  newer: false,
  announced: false,
  secrets: false,
  leftOut: false,
  wireName: false,
  recorded: false,
  transient: false,
  unattended: false,
  mentions: false,
  unknown: false,
  maxProperties: true,
  maxLength: true,
  properties: true,
}

/**
 * A schema as `openapi.json` and the tools of language models show it: in the words of JSON Schema only. Choices become
 * `enum`, with what the codes mean as the description. What zod adds and the server has no rule for is left out: the
 * bounds of safe integers, and the pattern of a date and time beside its format.
 */
export function publicSchema(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([word, value]) => isPublic(word, value, schema))
  return {
    ...Object.fromEntries(kept.map(([word, value]) => [word, publicValue(word, value)])),
    ...lengthOf(schema),
    ...choicesOf(schema),
  }
}

function isPublic(word: string, value: unknown, { type, format }: JsonSchema): boolean {
  if (word === 'minimum' || word === 'maximum') return Math.abs(Number(value)) < Number.MAX_SAFE_INTEGER
  if (word === 'pattern') return format !== 'date-time'
  if (word === 'maxLength') return type === 'string'
  return isStandard[word as keyof FieldFacts] ?? true
}

/** The words whose values are schemas by name, schemas in a list, or a schema. */
const byName = new Set(['properties', 'patternProperties', '$defs'])
const inList = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const single = new Set(['items', 'additionalProperties', 'propertyNames', 'not'])

function publicValue(word: string, value: unknown): unknown {
  if (byName.has(word)) {
    return Object.fromEntries(
      Object.entries(fieldsIn(value)).map(([name, schema]) => [name, publicSchema(fieldsIn(schema))]),
    )
  }
  if (inList.has(word) && Array.isArray(value)) return value.map((schema) => publicSchema(fieldsIn(schema)))
  return single.has(word) && isObject(value) ? publicSchema(value) : value
}

/** Codes that are words stand in the schema already, and say what they mean. */
function choicesOf({ choices, enum: words }: JsonSchema): JsonSchema {
  return choices && !words ? { enum: Object.keys(choices).map(Number), description: choicesText(choices) } : {}
}

/** How long a value may be as JSON, which JSON Schema has no word for. */
const lengthOf = ({ type, maxLength }: JsonSchema): JsonSchema =>
  maxLength !== undefined && type !== 'string' ? { description: `At most ${maxLength} characters as JSON` } : {}
