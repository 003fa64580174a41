import { createContext, use } from 'react'
import type { Values } from '../../../schemas/define/values.ts'

/** The check of the form around, for the inputs of its fields. */
export interface CheckForm {
  check: Values
  set: (changes: Values) => void
  /** The text of what is wrong with a field, by its path: `auth.user`. */
  errors: ReadonlyMap<string, string>
  /** What becomes of secrets that are left empty: they stay as they are stored, or were not copied. */
  emptySecrets: 'kept' | 'not_copied' | undefined
}

export const CheckFormContext = createContext<CheckForm>({
  check: {},
  set: () => {},
  errors: new Map(),
  emptySecrets: undefined,
})

export const useCheckForm = () => use(CheckFormContext)
