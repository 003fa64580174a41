import { useLocaleState } from 'react-admin'
import type { CellProps } from '../parts/kind.ts'

export function NumberCell({ value, field }: CellProps) {
  const [locale] = useLocaleState()
  if (typeof value !== 'number') return null
  return field?.name === 'id' ? String(value) : value.toLocaleString(locale)
}
