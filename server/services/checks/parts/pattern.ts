import { RE2JS } from 're2js'
import { errorMessage } from '../../../../src/domain/errors.ts'
import { ApiError } from '../../../wire/apiError.ts'

/** Instructions of a compiled pattern. */
const maxSize = 150
/**
 * Instructions that may be run for one search, at some 50 ns each in the worst case: patterns run in linear time, and
 * nothing else runs meanwhile.
 */
const maxSteps = 10_000_000

const compiled = new Map<string, RE2JS>()
const maxCompiled = 2000

/** @throws ApiError for a pattern that cannot be used */
export function compilePattern(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known) return known
  let made: RE2JS
  try {
    made = RE2JS.compile(pattern)
  } catch (error) {
    throw new ApiError(`check.pattern: ${errorMessage(error)}`)
  }
  if (made.programSize() > maxSize)
    throw new ApiError('check.pattern is too long, or repeats too much: make it simpler')
  if (compiled.size >= maxCompiled) compiled.clear()
  compiled.set(pattern, made)
  return made
}

/** Whether a pattern is found in a text: of a long one, in as much of its beginning as can be searched at once. */
export function hasPattern(text: string, pattern: string): boolean {
  const made = compilePattern(pattern)
  return made.test(text.slice(0, Math.floor(maxSteps / Math.max(1, made.programSize()))))
}
