import type { z } from 'zod'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { issueText } from '../../src/schemas/define/issueText.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Form } from './row.ts'

/**
 * Validates a form with its entity's schema and returns what to save, defaults included.
 * @throws ApiError with one sentence that names the first wrong field
 */
export function validateForm(entity: Entity, given: Form): Form {
  const result = entity.form.safeParse(given)
  if (result.success) return result.data
  throw new ApiError(issueText(result.error.issues[0] as z.core.$ZodIssue, given))
}
