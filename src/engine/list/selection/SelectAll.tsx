import { useTranslate } from 'react-admin'
import { Checkbox } from './Checkbox.tsx'
import { usePageSelection } from './usePageSelection.ts'

/** Selects, or clears, all rows of the page. */
export function SelectAll() {
  const translate = useTranslate()
  const { isEmpty, isWhole, isPartial, toggle } = usePageSelection()
  return (
    <Checkbox
      label={translate('app.list.select_all')}
      checked={isWhole}
      indeterminate={isPartial}
      disabled={isEmpty}
      onChange={toggle}
    />
  )
}
