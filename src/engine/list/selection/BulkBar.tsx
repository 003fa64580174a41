import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { memo } from 'react'
import { useEvent, useListContext, useNotify } from 'react-admin'
import { isReadOnly } from '../../../schemas/define/readOnly.ts'
import { useStartAction } from '../../actions/ActionRunner.tsx'
import type { BulkAction } from '../../define/action.ts'
import { useScreen } from '../../define/screen.ts'
import { useToast } from '../../parts/useToast.ts'
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
      // Above the messages (custom/theme/tokens.ts).
      bottom: 'var(--messages-height, 0px)',
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
  const { bulkActions, texts, translate } = useScreen()
  const { selectedIds } = useListContext()
  const tryTo = useBulkAction()
  if (bulkActions.length === 0) return null
  return (
    <Bulk data-selected={selectedIds.length > 0}>
      {bulkActions.map((action) => (
        <BulkButton
          key={typeof action === 'string' ? action : action.action}
          action={action}
          isDangerous={action === 'delete' && selectedIds.length > 0}
          text={
            typeof action === 'string'
              ? translate(`app.action.${action}_selected`)
              : texts.action(action.action, 'label')
          }
          onPress={tryTo}
        />
      ))}
      <SelectionBar />
    </Bulk>
  )
}

/** Starts an action for the selected rows. Without a selection it says that rows have to be selected first. */
function useBulkAction(): (action: BulkAction) => void {
  const { isProtected, texts } = useScreen()
  const { selectedIds } = useListContext()
  const selectedRecords = useSelectedRecords()
  const filteredOut = useFilteredOut()
  const toast = useToast()
  const start = useStartAction()
  const notify = useNotify()
  const press = async (action: BulkAction) => {
    const nothingSelected = typeof action === 'string' ? undefined : texts.actionNothing(action.action)
    if (selectedIds.length === 0) return notify(nothingSelected ?? 'app.list.nothing_selected', { type: 'error' })
    const records = await selectedRecords()
    // The preview of an edit says which ones it leaves out.
    if (action !== 'edit' && records.some(isReadOnly)) return notify('app.list.read_only_selected', { type: 'error' })
    if (action === 'delete' && records.some(isProtected)) return notify(texts.protected, { type: 'error' })
    start(action, records, 'bulk', await filteredOut(records))
  }
  return useEvent((action: BulkAction) => void press(action).catch(toast.showError))
}

interface BulkButtonProps {
  action: BulkAction
  text: string
  isDangerous: boolean
  onPress: (action: BulkAction) => void
}

/** Not redrawn when rows change. */
const BulkButton = memo(function BulkButton({ action, text, isDangerous, onPress }: BulkButtonProps) {
  return (
    <Button variant="outlined" color={isDangerous ? 'error' : 'inherit'} onClick={() => onPress(action)}>
      {text}
    </Button>
  )
})
