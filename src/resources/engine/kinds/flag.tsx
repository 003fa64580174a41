import CheckIcon from '@mui/icons-material/Check'
import { useTranslate } from 'react-admin'
import type { CellProps } from './kind.ts'

export function FlagCell({ value }: CellProps) {
  const translate = useTranslate()
  if (!value) return <span className="visually-hidden">{translate('ra.boolean.false')}</span>
  return <CheckIcon fontSize="small" color="primary" titleAccess={translate('ra.boolean.true')} />
}
