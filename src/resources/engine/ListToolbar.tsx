import RefreshIcon from '@mui/icons-material/Refresh'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useListContext, useNotify, useRefresh, useTranslate } from 'react-admin'
import { useStartAction } from './ActionRunner.tsx'
import { CreateButton } from './CreateButton.tsx'
import type { BulkAction } from './defineResource.ts'
import { useScreen } from './screen.ts'
import { useSelectedRecords } from './useSelectedRecords.ts'

const Bar = styled('div')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(1),
  minHeight: 48,
  marginBottom: theme.spacing(1),
  '& .gap': { flex: 1 },
}))

/** Bulk actions at the left, Create at the right. All stay in place whether or not rows are selected. */
export function ListToolbar() {
  const { definition, bulkActions } = useScreen()
  const { selectedIds, onUnselectItems } = useListContext()
  const refresh = useRefresh()
  const translate = useTranslate()
  return (
    <Bar role="toolbar" aria-label={translate('app.list.actions')}>
      {bulkActions.map((action) => (
        <BulkActionButton key={typeof action === 'string' ? action : action.action} action={action} />
      ))}
      <span role="status">
        {selectedIds.length > 0 ? translate('app.list.selected', { smart_count: selectedIds.length }) : null}
      </span>
      {selectedIds.length > 0 ? (
        <Button size="small" onClick={() => onUnselectItems()}>
          {translate('app.list.clear_selection')}
        </Button>
      ) : null}
      <span className="gap" />
      <IconButton
        aria-label={translate('app.list.refresh')}
        title={translate('app.list.refresh')}
        onClick={() => refresh()}
      >
        <RefreshIcon fontSize="small" />
      </IconButton>
      {definition.toolbar.map((Tool, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a definition's tools never change their order
        <Tool key={index} />
      ))}
      <CreateButton />
    </Bar>
  )
}

/** Always there: without a selection it says what to do first. */
function BulkActionButton({ action }: { action: BulkAction }) {
  const { texts, translate } = useScreen()
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
        else start(action, records, 'bulk')
      }}
    >
      {isDelete ? translate('app.action.delete_selected') : texts.action(action.action, 'label')}
    </Button>
  )
}
