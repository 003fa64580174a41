import Alert from '@mui/material/Alert'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { ActionDialog, CloseFooter, PendingData } from '../../engine/parts/ActionDialog.tsx'
import { inspectEndpoints } from '../../schemas/endpoints/inspectEndpoints.ts'
import { SnapshotView } from '../server/inspect/SnapshotView.tsx'

/** What the machine of an alarm said of itself when it began. */
export default function SnapshotDialog({ records: [alarm], onClose }: ActionDialogProps) {
  const { translate, locale } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const id = Number(alarm?.id)
  const { data, error, refetch } = useQuery({
    queryKey: ['alarm', 'snapshot', id],
    queryFn: () => call(inspectEndpoints.alarmSnapshot, { id }),
  })
  const time = formatDateTime(Date.parse(data?.at ?? String(alarm?.started_at)), locale)
  return (
    <ActionDialog
      title={translate('app.alarm.snapshot_of', { name: String(alarm?.server_name), time })}
      onClose={onClose}
      width={1100}
    >
      <DialogContent dividers>
        <PendingData data={data} error={error} onRetry={refetch} />
        {data?.at ? <SnapshotView snapshot={data} /> : null}
        {data && !data.at ? (
          <Alert severity="info" variant="outlined">
            {translate('app.alarm.no_snapshot')}
          </Alert>
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
