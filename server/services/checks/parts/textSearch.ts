import { RE2JS } from 're2js'
import { errorMessage } from '../../../../src/domain/errors.ts'
import { ApiError } from '../../../wire/apiCall.ts'

/**
 * Looks for a text in another one that comes in parts, in a time that grows with both lengths added, and not multiplied:
 * `includes` of a long text whose beginning repeats itself stops everything for seconds (Knuth, Morris and Pratt, 1977).
 * @param wanted an empty one is in the first part
 * @returns is given each part, and says whether the text has been found by now
 */
export function searchFor(wanted: string): (part: string) => boolean {
  const borders = bordersOf(wanted)
  let matched = 0
  return (part) => {
    for (let at = 0; at < part.length && matched < wanted.length; at++) {
      matched = extended(wanted, borders, matched, part.charCodeAt(at))
    }
    return matched === wanted.length
  }
}

/** Whether a text has another one in it; see `searchFor`. */
export const hasText = (text: string, wanted: string): boolean =>
  wanted.length <= text.length && searchFor(wanted)(text)

/** For each beginning of a text, by its length: how long its longest shorter beginning is with which it also ends. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length + 1)
  for (let at = 1, matched = 0; at < text.length; at++) {
    matched = extended(text, borders, matched, text.charCodeAt(at))
    borders[at + 1] = matched
  }
  return borders
}

/** How many characters match after one more. */
function extended(wanted: string, borders: Uint32Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && wanted.charCodeAt(length) !== code) length = borders[length] ?? 0
  return wanted.charCodeAt(length) === code ? length + 1 : length
}

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
