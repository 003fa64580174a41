import Alert from '@mui/material/Alert'
import DialogContent from '@mui/material/DialogContent'
import LinearProgress from '@mui/material/LinearProgress'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useDataProvider } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { CloseFooter } from '../../../engine/parts/CloseFooter.tsx'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import { joinPath, type RawPath, shownPath } from '../transfer/remotePath.ts'
import { FoundList } from './FoundList.tsx'
import { pathText, rawOfText } from './fileItems.ts'

interface AnswerDialogProps {
  serverId: number
  path: RawPath
  onClose: () => void
}

/** The folders in a folder, the largest first. */
export function SizesDialog({
  serverId: id,
  path,
  onGo,
  onClose,
}: AnswerDialogProps & { onGo: (path: RawPath) => void }) {
  const { locale, translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error } = useQuery({
    queryKey: ['files', id, 'sizes', path],
    queryFn: () => call(fileEndpoints.folderSizes, { id, path: pathText(path) }),
    gcTime: 0,
    retry: false,
  })
  const problem = error?.message ?? data?.reason
  return (
    <AnswerFrame
      title={translate('app.files.manage.sizes_title', { path: shownPath(path) })}
      isPending={!data && !error}
      problem={problem}
      onClose={onClose}
    >
      {data && !problem ? (
        <FoundList
          status={translate('app.files.manage.folders', { smart_count: data.items.length })}
          items={data.items.map(({ name, bytes }) => ({ raw: rawOfText(name), detail: formatBytes(bytes, locale) }))}
          onChoose={(raw) => onGo(joinPath(path, raw))}
        />
      ) : null}
    </AnswerFrame>
  )
}

/** The SHA-256 of a file. */
export function ChecksumDialog({ serverId: id, path, name, onClose }: AnswerDialogProps & { name: string }) {
  const { translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { data, error } = useQuery({
    queryKey: ['files', id, 'checksum', path],
    queryFn: () => call(fileEndpoints.fileChecksum, { id, path: pathText(path) }),
    gcTime: 0,
    retry: false,
  })
  const [item] = data?.items ?? []
  return (
    <AnswerFrame
      title={translate('app.files.manage.checksum_title', { name })}
      width={600}
      isPending={!data && !error}
      problem={error?.message ?? data?.reason}
      onClose={onClose}
    >
      {item ? (
        <p style={{ display: 'flex', alignItems: 'center', gap: 8, margin: 0 }}>
          <code style={{ overflowWrap: 'anywhere' }}>{item.sha256}</code>
          <CopyButton text={item.sha256} />
        </p>
      ) : null}
    </AnswerFrame>
  )
}

interface AnswerFrameProps {
  title: string
  width?: number
  isPending: boolean
  problem?: string
  onClose: () => void
  /** The answer, once it is there. */
  children: ReactNode
}

function AnswerFrame({ title, width, isPending, problem, onClose, children }: AnswerFrameProps) {
  const { translate } = useLanguage()
  return (
    <ActionDialog title={title} onClose={onClose} width={width}>
      <DialogContent>
        {isPending ? <LinearProgress aria-label={translate('app.list.loading')} /> : null}
        {problem ? <Alert severity="error">{problem}</Alert> : null}
        {children}
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}
