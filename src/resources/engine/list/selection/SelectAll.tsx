import { useListContext, useTranslate } from 'react-admin'
import { Checkbox } from './Checkbox.tsx'

/** Selects, or clears, all rows of the page; what is selected on other pages stays. */
export function SelectAll() {
  const { data = [], selectedIds, onSelect } = useListContext()
  const translate = useTranslate()
  const ids = data.map(({ id }) => id)
  const chosen = ids.filter((id) => selectedIds.includes(id))
  const all = ids.length > 0 && chosen.length === ids.length
  return (
    <Checkbox
      label={translate('app.list.select_all')}
      checked={all}
      indeterminate={chosen.length > 0 && !all}
      disabled={ids.length === 0}
      onChange={() => {
        const elsewhere = selectedIds.filter((id) => !ids.includes(id))
        onSelect(all ? elsewhere : [...elsewhere, ...ids])
      }}
    />
  )
}
