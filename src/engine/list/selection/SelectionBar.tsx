import ClearIcon from '@mui/icons-material/Clear'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { useListContext, useListFilterContext, useTranslate } from 'react-admin'
import { useToast } from '../../parts/useToast.ts'
import { useMatchingRecords } from '../state/useMatchingRecords.ts'

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(0.5),
  minHeight: 32,
  fontSize: 14,
  whiteSpace: 'nowrap',
}))

/** How many rows are selected, and buttons to select all that match and to clear the selection. */
export function SelectionBar() {
  const { data = [], selectedIds, total = 0, filterValues, onSelect, onUnselectItems } = useListContext()
  const { filterValues: requested } = useListFilterContext()
  const translate = useTranslate()
  const matching = useMatchingRecords()
  const toast = useToast()
  const filter = JSON.stringify([requested, filterValues])
  const seen = useRef(filter)
  // What a new filter hides must not stay selected for a deletion: neither rows that were ticked before it was set, nor
  // rows that were ticked while the list still showed the old ones.
  useEffect(() => {
    if (seen.current !== filter) onUnselectItems()
    seen.current = filter
  }, [filter, onUnselectItems])
  const count = selectedIds.length
  const wholePage = data.length > 0 && data.every(({ id }) => selectedIds.includes(id))
  return (
    <Bar>
      <span role="status">{count > 0 ? translate('app.list.selected', { smart_count: count }) : null}</span>
      {count > 0 ? (
        <IconButton
          aria-label={translate('app.list.clear_selection')}
          title={translate('app.list.clear_selection')}
          onClick={() => onUnselectItems()}
        >
          <ClearIcon fontSize="small" />
        </IconButton>
      ) : null}
      {wholePage && count < total ? (
        <Button onClick={() => matching().then((rows) => onSelect(rows.map(({ id }) => id)), toast.showError)}>
          {translate('app.list.select_matching', { smart_count: total })}
        </Button>
      ) : null}
    </Bar>
  )
}
