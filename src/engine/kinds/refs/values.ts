import type { KindValues } from '../parts/kind.ts'
import { referenceValues } from '../reference/values.ts'

export const refsValues: KindValues = referenceValues((value) => (Array.isArray(value) ? value.map(String) : []))
