import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useListContext, useNotify } from 'react-admin'
import { useStartAction } from './ActionRunner.tsx'
import type { BulkAction } from './defineResource.ts'
import { SelectionBar } from './SelectionBar.tsx'
import { useScreen } from './screen.ts'
import { useSelectedRecords } from './useSelectedRecords.ts'

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

/** The actions for the selected rows: always there, and at hand at the bottom of a narrow screen. */
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

/** Without a selection it says what to do first. */
function BulkActionButton({ action }: { action: BulkAction }) {
  const { isSpared, texts, translate } = useScreen()
  const records = useSelectedRecords()
  const start = useStartAction()
  const notify = useNotify()
  const isDelete = action === 'delete'
  return (
    <Button
      variant="outlined"
      color={isDelete && records.length > 0 ? 'error' : 'inherit'}
      onClick={() => {
        if (records.length === 0) notify('app.list.nothing_selected', { type: 'error' })
        else if (isDelete && records.some(isSpared)) notify(texts.spared, { type: 'error' })
        else start(action, records, 'bulk')
      }}
    >
      {isDelete ? translate('app.action.delete_selected') : texts.action(action.action, 'label')}
    </Button>
  )
}
