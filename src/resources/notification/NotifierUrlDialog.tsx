import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { CopyButton } from '../../components/CopyButton.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { ActionDialog, CloseFooter, PendingData } from '../../engine/parts/ActionDialog.tsx'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { onDemandQuery } from './onDemandQuery.ts'

/** The address of a notifier for its owner; lists hide it. */
export default function NotifierUrlDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const id = Number(records[0]?.id)
  const { data, error, refetch } = useQuery({
    queryKey: ['notification', 'url', id],
    queryFn: () => call(endpoints.revealNotifier, { id }),
    ...onDemandQuery,
  })
  return (
    <ActionDialog title={translate('app.notifier_dialogs.url_title', { what: texts.what(records) })} onClose={onClose}>
      <DialogContent dividers aria-busy={!data && !error}>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data ? (
          <>
            <p style={{ margin: 0, display: 'flex', gap: 8, alignItems: 'center' }}>
              <code style={{ overflowWrap: 'anywhere', userSelect: 'all' }}>{data.url}</code>
              <CopyButton text={data.url} label={translate('app.notifier_dialogs.copy_url')} />
            </p>
            <p style={{ margin: '12px 0 0' }}>{translate('app.notifier_dialogs.url_hint')}</p>
          </>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
