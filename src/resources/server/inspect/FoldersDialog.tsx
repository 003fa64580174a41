import Alert from '@mui/material/Alert'
import DialogContent from '@mui/material/DialogContent'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { numbers, PlainTable } from '../../../components/PlainTable.tsx'
import { ActionDialog, CloseFooter, PendingData } from '../../../engine/parts/ActionDialog.tsx'
import { inspectEndpoints } from '../../../schemas/endpoints/inspectEndpoints.ts'
import { Reason, type SubjectProps, useInspected } from './SubjectPanel.tsx'

interface FoldersDialogProps extends SubjectProps {
  /** Where the file system is mounted. */
  path: string
  onClose: () => void
}

/** The largest folders of a file system; the machine counts for as long as it takes. */
export default function FoldersDialog({ server, path, onClose }: FoldersDialogProps) {
  const { locale, translate } = useLanguage()
  const label = (key: string) => translate(`app.inspect.disks.columns.${key}`)
  // In paths of requests a percent sign begins a byte.
  const input = { id: server.id, path: path.replaceAll('%', '%25') }
  const { data, error, refetch } = useInspected(inspectEndpoints.folders, input, false)
  return (
    <ActionDialog
      title={translate('app.inspect.disks.folders_title', { what: path, name: server.name })}
      onClose={onClose}
      width={720}
    >
      <DialogContent dividers aria-busy={!data && !error}>
        {!data && !error ? <p role="status">{translate('app.inspect.disks.counting')}</p> : null}
        <PendingData data={data} error={error} onRetry={refetch} />
        {data?.cause ? <Reason answer={data} /> : null}
        {data?.truncated ? <Alert severity="info">{translate('app.inspect.disks.cut')}</Alert> : null}
        {data && !data.cause ? (
          <PlainTable
            headings={[label('folder'), numbers(label('size'))]}
            rows={data.items.map((folder) => ({
              key: folder.path,
              cells: [folder.path, formatBytes(folder.size, locale)],
            }))}
          />
        ) : null}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
