import type { KindValues } from '../parts/kind.ts'
import { textValues } from '../text/values.ts'

export const urlValues: KindValues = { ...textValues, invalidFormat: 'validation.url' }
