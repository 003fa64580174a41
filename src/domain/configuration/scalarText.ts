import { isScalar } from 'yaml'
import type { FieldDescription } from '../../schemas/define/describe.ts'
import { secretWays } from './fileValues.ts'

/**
 * The text of a key or value as it stands in the file: a server may be called `007`, `1e3`, `true` or `null`, which YAML
 * takes for other values when nothing is around them.
 * @returns `undefined` for what is no text, and where nothing stands
 */
export function scalarText(node: unknown): string | undefined {
  if (!isScalar(node)) return undefined
  const { value, source } = node
  if (typeof value === 'string') return value
  return value === null && source?.toLowerCase() !== 'null' ? undefined : source
}

/** The ways to the texts in the values of a field: to the value itself, or into it, `*` for each entry. */
export function textWays(field: FieldDescription): readonly (readonly string[])[] {
  switch (field.kind) {
    case 'number':
    case 'flag':
    case 'choice':
      return []
    case 'json':
      return [...(field.mentions ?? []).map(({ path = [] }) => path), ...secretWays(field)]
    default:
      return [[]]
  }
}
