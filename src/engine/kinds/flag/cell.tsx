import { useTranslate } from 'react-admin'
import type { CellProps, FilterTextProps } from '../parts/kind.ts'
import './cell.css'

export function FlagCell({ value }: CellProps) {
  const translate = useTranslate()
  if (!value) return <span className="visually-hidden">{translate('ra.boolean.false')}</span>
  return (
    <svg className="flag-cell" role="img" viewBox="0 0 24 24">
      <title>{translate('ra.boolean.true')}</title>
      <path d="M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4z" />
    </svg>
  )
}

export function FlagFilterText({ value }: FilterTextProps) {
  const translate = useTranslate()
  return translate(`ra.boolean.${value}`)
}
