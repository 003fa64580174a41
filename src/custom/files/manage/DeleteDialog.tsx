import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import type { Entry } from '../transfer/entries.ts'

interface DeleteDialogProps {
  serverId: number
  entries: readonly Entry[]
  /** As requests have them. */
  paths: string[]
  onConfirm: () => void
  onClose: () => void
}

const namesShown = 8

/** Asks before files and folders are deleted: by name, and how much is in them. */
export function DeleteDialog({ serverId, entries, paths, onConfirm, onClose }: DeleteDialogProps) {
  const { locale, translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error } = useQuery({
    queryKey: ['files', serverId, 'measure', paths],
    queryFn: () => call(fileEndpoints.measureFiles, { id: serverId, paths }),
    gcTime: 0,
    retry: false,
  })
  const [measured] = data?.items ?? []
  const rest = entries.length - namesShown
  const [first] = entries
  const unknown = error?.message ?? data?.reason
  return (
    <QuestionDialog
      title={
        entries.length === 1
          ? translate('app.files.manage.delete_one', { name: first?.name })
          : translate('app.files.manage.delete_many', { smart_count: entries.length })
      }
      button={translate('app.action.delete')}
      onConfirm={onConfirm}
      onCancel={onClose}
    >
      {entries.length > 1 ? (
        <ul style={{ margin: '0 0 12px', paddingLeft: 20, overflowWrap: 'anywhere' }}>
          {entries.slice(0, namesShown).map(({ raw, name }) => (
            <li key={raw}>{name}</li>
          ))}
          {rest > 0 ? <li>{translate('app.files.manage.and_more', { smart_count: rest })}</li> : null}
        </ul>
      ) : null}
      <Typography role="status">
        {measured
          ? [
              translate('app.files.manage.files', { smart_count: measured.files }),
              ...(measured.folders > 0
                ? [translate('app.files.manage.folders', { smart_count: measured.folders })]
                : []),
              formatBytes(measured.bytes, locale),
            ].join(' · ')
          : unknown
            ? translate('app.files.manage.not_counted', { reason: unknown })
            : translate('app.files.manage.counting')}
      </Typography>
      <Typography color="textSecondary">{translate('app.files.manage.no_undo')}</Typography>
    </QuestionDialog>
  )
}
