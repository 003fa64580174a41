import { describeFields, type FieldDescription } from '../../../src/schemas/define/describe.ts'
import type { Entity } from '../../../src/schemas/define/entity.ts'

const longText = `${'long '.repeat(400)}"quotes" <b>&amp;</b> \u2028 漢字 😀\n`

/**
 * A record as another server might have it, newer, older or carelessly filled: codes this console does not know, lists
 * that are `null`, ids that lead nowhere, values beyond every bound, and keys it has never heard of.
 */
export function unknownRecord(entity: Entity): Record<string, unknown> {
  const editable = describeFields(entity).filter(({ editable, transient }) => editable && !transient)
  const record = {
    id: 1,
    created_at: '2020-02-20T20:20:20.123456789+05:30',
    updated_at: '0001-01-01T00:00:00Z',
    ...Object.fromEntries(editable.map((field) => [field.name, strangeValue(field)])),
    future_flag: false,
    future_nothing: null,
    future_list: [],
    future_object: { deep: [null, 0, '', { deeper: longText }], empty: {} },
  }
  // With the field names of older servers too.
  return entity.api.send?.(record) ?? record
}

function strangeValue({ name, kind, omittable }: FieldDescription): unknown {
  if (name === 'name') return `old ${longText.slice(0, 300).trim()}`
  switch (kind) {
    case 'number':
      return 9_007_199_254_740_991
    case 'choice':
      return 99
    case 'flag':
      return !omittable
    case 'ref':
      return 4711
    case 'refs':
    case 'idSet':
    case 'list':
      return null
    case 'json':
      return [{ type: 'unheard_of', deep: { list: [null, 1], text: longText } }]
    // Servers hide it: what arrives is empty, and an empty one keeps what is stored.
    case 'secret':
      return ''
    default:
      return `not a ${kind}: ${longText}`
  }
}
