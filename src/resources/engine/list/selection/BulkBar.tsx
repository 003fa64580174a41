import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { memo } from 'react'
import { useEvent, useListContext, useNotify } from 'react-admin'
import { useStartAction } from '../../actions/ActionRunner.tsx'
import { useToast } from '../../actions/useToast.ts'
import type { BulkAction } from '../../define/defineResource.ts'
import { useScreen } from '../../define/screen.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { useFilteredOut, useSelectedRecords } from './useSelectedRecords.ts'

const Bulk = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  [theme.breakpoints.down('md')]: {
    '&[data-selected=true]': {
      position: 'sticky',
      bottom: 0,
      zIndex: theme.zIndex.appBar - 1,
      margin: theme.spacing(1, -2, 0),
      padding: theme.spacing(1, 2),
      background: theme.vars.palette.background.paper,
      borderTop: `1px solid ${theme.vars.palette.divider}`,
    },
  },
}))

/** The actions for the selected rows: always visible, and at the bottom of a narrow screen while rows are selected. */
export function BulkBar() {
  const { bulkActions } = useScreen()
  const { selectedIds } = useListContext()
  if (bulkActions.length === 0) return null
  return (
    <Bulk data-selected={selectedIds.length > 0}>
      {bulkActions.map((action) => (
        <BulkActionButton key={typeof action === 'string' ? action : action.action} action={action} />
      ))}
      <SelectionBar />
    </Bulk>
  )
}

/** Without a selection it says that rows have to be selected first. */
function BulkActionButton({ action }: { action: BulkAction }) {
  const { isProtected, texts, translate } = useScreen()
  const { selectedIds } = useListContext()
  const selectedRecords = useSelectedRecords()
  const filteredOut = useFilteredOut()
  const toast = useToast()
  const start = useStartAction()
  const notify = useNotify()
  const isDelete = action === 'delete'
  const nothingSelected = isDelete ? undefined : texts.actionNothing(action.action)
  const press = useEvent(async () => {
    if (selectedIds.length === 0) return notify(nothingSelected ?? 'app.list.nothing_selected', { type: 'error' })
    const records = await selectedRecords()
    if (isDelete && records.some(isProtected)) return notify(texts.protected, { type: 'error' })
    start(action, records, 'bulk', await filteredOut(records))
  })
  const tryTo = useEvent(() => void press().catch(toast.showError))
  return (
    <Outlined
      color={isDelete && selectedIds.length > 0 ? 'error' : 'inherit'}
      text={isDelete ? translate('app.action.delete_selected') : texts.action(action.action, 'label')}
      onPress={tryTo}
    />
  )
}

interface OutlinedProps {
  text: string
  color: 'error' | 'inherit'
  onPress: () => void
}

/** Not redrawn when rows change. */
const Outlined = memo(function Outlined({ text, color, onPress }: OutlinedProps) {
  return (
    <Button variant="outlined" color={color} onClick={onPress}>
      {text}
    </Button>
  )
})
