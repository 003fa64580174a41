import { isSameNumber } from '../number/values.ts'
import type { KindValues } from '../parts/kind.ts'
import { referenceValues } from '../reference/values.ts'

/** 0 means none. */
export const refValues: KindValues = {
  ...referenceValues((value) => (value ? [String(value)] : [])),
  matches: isSameNumber,
}
