import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { type RaRecord, useDataProvider } from 'react-admin'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/rights.tsx'
import { useScreen } from '../../engine/define/screen.ts'
import { ActionDialog } from '../../engine/parts/ActionDialog.tsx'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { onDemandQuery } from './onDemandQuery.ts'

/** Sends a test message through a stored notifier, and shows what the receiver answered. */
export default function NotifierTestDialog({ records: [record], onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const send = useSendTest()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['notification', 'test', record?.id],
    queryFn: () => send(record as RaRecord),
    ...onDemandQuery,
  })
  const reply = data ? [data.code || '', data.reply].filter(Boolean).join(' ') : error?.message
  const isSent = data?.sent === true
  return (
    <ActionDialog
      title={translate('app.notifier_dialogs.test_title', { what: texts.what(record ? [record] : []) })}
      onClose={onClose}
    >
      <DialogContent dividers aria-busy={isFetching}>
        {isFetching ? (
          <p role="status" style={{ display: 'flex', gap: 12, alignItems: 'center', margin: 0 }}>
            <CircularProgress size={20} aria-hidden />
            {translate('app.notifier_dialogs.sending')}
          </p>
        ) : (
          <Alert severity={isSent ? 'success' : 'error'} sx={{ overflowWrap: 'anywhere' }}>
            {translate(`app.notifier_dialogs.${isSent ? 'sent' : 'failed'}`)}
            {reply ? (
              <pre style={{ margin: '8px 0 0', whiteSpace: 'pre-wrap', font: 'inherit' }}>{translate(reply)}</pre>
            ) : null}
          </Alert>
        )}
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
        <Button variant="contained" loading={isFetching} onClick={() => void refetch()}>
          {translate('app.notifier_dialogs.again')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

/**
 * How this server sends a test message. Nezha servers have no call for it: they send one when a notifier is saved, so it
 * is saved as it is.
 */
export function useSendTest() {
  const { call, update } = useDataProvider<ConsoleDataProvider>()
  const announced = use(AnnouncedFeaturesContext)
  return async (record: RaRecord): Promise<{ sent: boolean; code: number; reply: string }> => {
    if (announced?.has('notifiers')) return call(endpoints.testNotifier, { id: Number(record.id) })
    await update('notification', { id: record.id, data: { skip_check: false }, previousData: record })
    return { sent: true, code: 0, reply: '' }
  }
}
