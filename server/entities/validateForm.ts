import type { z } from 'zod'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { issueText } from '../../src/schemas/define/issueText.ts'
import { ApiError } from '../wire/apiError.ts'
import type { Form } from './row.ts'

/**
 * Checks the texts of a form that the contract, and not the schema, judges otherwise: what is typed into the form of the
 * console and what is sent has one rule. Real servers take anything. What is left out, empty or stored already passes: the
 * contract's own samples have records without a name.
 * @throws ApiError with one sentence that names the first wrong field
 */
export function checkTexts(entity: Entity, given: Form, stored: Form = {}): void {
  for (const [field, value] of Object.entries(given)) {
    const schema: z.ZodType | undefined = entity.form.shape[field]
    if (!schema || typeof value !== 'string' || value === '' || value === stored[field]) continue
    const issue = schema.safeParse(value).error?.issues[0]
    if (issue) throw new ApiError(issueText({ ...issue, path: [field, ...issue.path] }, given))
  }
}

/**
 * Validates a form with its entity's schema and returns what to save, defaults included.
 * @throws ApiError with one sentence that names the first wrong field
 */
export function validateForm(entity: Entity, given: Form): Form {
  const result = entity.form.safeParse(given)
  if (result.success) return result.data
  throw new ApiError(issueText(result.error.issues[0] as z.core.$ZodIssue, given))
}
