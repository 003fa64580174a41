import type { z } from 'zod'
import { validationWords } from './validationWords.ts'
import type { Values } from './values.ts'

/** One English sentence about what a schema refuses, as `name must not be empty`. @param given the whole form */
export function issueText(issue: z.core.$ZodIssue, given: Values): string {
  const field = issue.path.join('.')
  if (given[String(issue.path[0])] === undefined) return `${field} is missing`
  switch (issue.code) {
    case 'invalid_type':
      return `${field} must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? `${field} must not be empty`
        : `${field} must ${measure[issue.origin] ?? 'be'} at least ${issue.minimum}${unit[issue.origin] ?? ''}`
    case 'too_big':
      return `${field} must ${measure[issue.origin] ?? 'be'} at most ${issue.maximum}${unit[issue.origin] ?? ''}`
    case 'invalid_format':
      return `${field} is not a valid ${issue.format}`
    case 'custom':
      return `${field}: ${customText(issue.params) ?? 'this value is not allowed'}`
    default:
      return `${field}: ${issue.message}`
  }
}

/** The words of a schema's own rule, which names them by a key. */
function customText(params: Values = {}): string | undefined {
  const text = validationWords[String(params.key).replace('validation.', '')]
  return text?.replace(/%\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
}

const measure: Readonly<Record<string, string>> = { string: 'have', array: 'have' }
const unit: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
