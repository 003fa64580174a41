import type { z } from 'zod'
import type { FieldDescription } from '../../schemas/define/describe.ts'
import { isSecret } from './fileValues.ts'
import type { Problem } from './problem.ts'

/**
 * What a schema refuses, as far as servers would refuse it too: forms take whole numbers where servers have decimals, and
 * a file has what servers have.
 */
export const issuesOf = ({ issues }: z.ZodError): readonly z.core.$ZodIssue[] =>
  issues.filter(({ code }) => code !== 'not_multiple_of')

type TypeProblem = Problem | undefined

/** The problem of a value that is not a text. */
export const textProblem = (field: string, value: unknown): TypeProblem =>
  typeof value === 'string'
    ? undefined
    : { code: 'wrong_type', args: { field, expected: 'text: put it into quotes', type: 'text' } }

/** Why a value does not have the type of the field. Rules beyond the type are the schema's. */
export function fileTypeProblem(field: FieldDescription, value: unknown): TypeProblem {
  const { name, kind, choices = {} } = field
  const wrong = (expected: string, type: string): TypeProblem => ({
    code: 'wrong_type',
    args: { field: name, expected, type },
  })
  if (isSecret(field)) return textProblem(name, value)
  switch (kind) {
    case 'number':
      return typeof value === 'number' ? undefined : wrong('a number', 'number')
    case 'flag':
      return typeof value === 'boolean' ? undefined : wrong('true or false', 'flag')
    case 'choice': {
      if (Number.isInteger(value) || Object.values(choices).includes(String(value))) return undefined
      const expected = Object.values(choices).join(', ')
      return { code: 'unknown_choice', args: { field: name, value: String(value), expected } }
    }
    case 'ref':
      return value === null || typeof value === 'string' ? undefined : wrong('a name in quotes, or null', 'name')
    case 'refs':
    case 'idSet':
    case 'list': {
      const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string')
      return value === null || isList ? undefined : wrong('a list of texts', 'list')
    }
    case 'json':
      return undefined
    default:
      return value === null ? undefined : textProblem(name, value)
  }
}
