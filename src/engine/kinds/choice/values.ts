import { isSameNumber } from '../number/values.ts'
import type { KindValues } from '../parts/kind.ts'

export const choiceValues: KindValues = {
  matches: isSameNumber,
  exportText: (value, { field, choiceText }) => {
    const name = field.choices?.[String(value ?? 0)]
    return name === undefined ? String(value ?? '') : choiceText(name)
  },
}
