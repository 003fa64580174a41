import { choicesText } from '../../../src/schemas/define/describe.ts'
import type { FieldFacts } from '../../../src/schemas/define/fields.ts'
import type { Values } from '../../../src/schemas/define/values.ts'

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
export function publicSchema(schema: Values): Values {
  const kept = Object.entries(schema).filter(([word, value]) => isPublic(word, value, schema))
  return {
    ...Object.fromEntries(kept.map(([word, value]) => [word, publicValue(word, value)])),
    ...lengthOf(schema),
    ...choicesOf(schema),
  }
}

function isPublic(word: string, value: unknown, { type, format }: Values): boolean {
  if (word === 'minimum' || word === 'maximum') return Math.abs(value as number) < Number.MAX_SAFE_INTEGER
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
      Object.entries(value as Values).map(([name, schema]) => [name, publicSchema(schema as Values)]),
    )
  }
  if (inList.has(word)) return (value as Values[]).map(publicSchema)
  return single.has(word) && typeof value === 'object' ? publicSchema(value as Values) : value
}

function choicesOf({ choices }: Values): Values {
  if (!choices) return {}
  const names = choices as Readonly<Record<string, string>>
  return { enum: Object.keys(names).map(Number), description: choicesText(names) }
}

/** How long a value may be as JSON, which JSON Schema has no word for. */
const lengthOf = ({ type, maxLength }: Values): Values =>
  maxLength !== undefined && type !== 'string' ? { description: `At most ${maxLength} characters as JSON` } : {}
