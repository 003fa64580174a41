import type { z } from 'zod'
import {
  type Check,
  check,
  checkKindNames,
  checkKindOf,
  checkTargetProblem,
} from '../../../src/schemas/checks/checks.ts'
import { issueText } from '../../../src/schemas/define/issueText.ts'
import { ApiError } from '../../wire/apiError.ts'
import { compilePattern } from './parts/pattern.ts'

const read = new WeakMap<object, Check | false>()

/** A stored check with its defaults: a later version may have more fields. `undefined` for one that cannot be run. */
export function readCheck(stored: object): Check | undefined {
  let known = read.get(stored)
  if (known === undefined) {
    known = check.safeParse(stored).data ?? false
    read.set(stored, known)
  }
  return known || undefined
}

/**
 * Reads the `check` of a form, with its defaults.
 * @throws ApiError with one sentence that names the field that is wrong
 */
export function validateCheck(given: unknown, target: string): Check {
  const result = check.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues as [z.core.$ZodIssue]
    if (!checkKindOf(given)) throw new ApiError(`check.kind must be one of ${checkKindNames.join(', ')}`)
    throw new ApiError(issueText({ ...issue, path: ['check', ...issue.path] }, { check: given }))
  }
  if (target.trim() === '') throw new ApiError('target must not be empty')
  const key = checkTargetProblem(result.data, target.trim())
  if (key) throw new ApiError(issueText({ code: 'custom', message: '', path: ['target'], params: { key } }, { target }))
  if ('pattern' in result.data && result.data.pattern) compilePattern(result.data.pattern)
  return result.data
}
