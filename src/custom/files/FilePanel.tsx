import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import { Suspense, useEffect, useState } from 'react'
import { useEvent, useStore, useTranslate } from 'react-admin'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { MemoryDialog } from './dialogs/MemoryDialog.tsx'
import { TransferDialog } from './dialogs/TransferDialog.tsx'
import { UploadDialog } from './dialogs/UploadDialog.tsx'
import { UploadFailures } from './dialogs/UploadFailures.tsx'
import { DropZone } from './list/DropZone.tsx'
import { EmptyFolder } from './list/EmptyFolder.tsx'
import { FileList } from './list/FileList.tsx'
import { FilterField } from './list/FilterField.tsx'
import { GoToDialog } from './list/GoToDialog.tsx'
import { PathBar } from './list/PathBar.tsx'
import { type Entry, filteredEntries } from './transfer/entries.ts'
import { clearPrivateFiles } from './transfer/privateFiles.ts'
import { home, joinPath, parentOf, type RawPath, shownPath } from './transfer/remotePath.ts'
import { useTransfers } from './transfer/useTransfers.ts'
import type { OpenedFiles } from './useFileSession.ts'
import { useFolder } from './useFolder.ts'

/** The panel as a whole: bars of their own height, and the list in what is left. */
const PanelFrame = styled('section')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  flex: 1,
  minWidth: 0,
  minHeight: 0,
  height: '100%',
  background: theme.vars.palette.background.paper,
  color: theme.vars.palette.text.primary,
  // Its place is kept, so that nothing jumps when it comes and goes.
  '& > .progress': { flex: 'none', height: 4 },
}))

const FileViewer = lazyPart(() => import('./view/FileViewer.tsx'))

interface FilePanelProps extends OpenedFiles {
  serverName: string
  /** Left out: there is no button to close it. */
  onClose?(): void
}

/** The files of a server. It fills the place it is given. */
export default function FilePanel({ session, first, serverName, onClose }: FilePanelProps) {
  const translate = useTranslate()
  const { folder, failure, isLoading, open, refresh, activate, leave } = useFolder(session)
  const transfers = useTransfers({ session, path: folder?.path, onChange: refresh })
  const [showsHidden, setShowsHidden] = useStore('files.hidden', false)
  const [filter, setFilter] = useState('')
  const [isGoing, setGoing] = useState(false)
  const [viewed, setViewed] = useState<Entry>()

  const openHome = useEvent(() => void open(home, undefined, first)) as () => void
  useEffect(() => {
    openHome()
    clearPrivateFiles().catch((error) => console.warn('Old downloads could not be removed.', error))
  }, [openHome])

  const path = folder?.path
  const go = (to: RawPath, active?: RawPath) => {
    setFilter('')
    void open(to, active)
  }
  const openEntry = (entry: Entry) => {
    if (path === undefined) return
    if (entry.isFolder) go(joinPath(path, entry.raw))
    else setViewed(entry)
  }
  const openParent = () => {
    const parent = path === undefined ? undefined : parentOf(path)
    if (parent === undefined) return
    setFilter('')
    void leave(parent)
  }
  const shown = folder ? filteredEntries(folder.entries, filter, showsHidden) : []

  return (
    <PanelFrame aria-label={translate('app.files.title', { name: serverName })} aria-busy={isLoading}>
      <PathBar
        path={path}
        showsHidden={showsHidden}
        onShowHidden={setShowsHidden}
        onOpen={go}
        onRefresh={() => void refresh()}
        onGoTo={() => setGoing(true)}
        onUpload={(files) => void transfers.upload(files)}
        onClose={onClose}
      />
      <FilterField value={filter} onChange={setFilter} />
      <div className="progress">{isLoading ? <LinearProgress aria-label={translate('app.list.loading')} /> : null}</div>
      {failure ? (
        <RetryAlert sx={{ margin: 1, overflowWrap: 'anywhere' }} onRetry={() => go(failure.path)}>
          {failure.message}
        </RetryAlert>
      ) : null}
      <DropZone
        isOpen={path !== undefined && !failure}
        hint={translate('app.files.drop_here', { path: path === undefined ? '' : shownPath(path) })}
        onFiles={(files) => void transfers.upload(files)}
      >
        {folder && !failure ? (
          <FileList
            key={folder.path}
            path={folder.path}
            entries={shown}
            empty={
              <EmptyFolder
                filter={filter}
                hasHidden={folder.entries.length > 0}
                onClearFilter={() => setFilter('')}
                onShowHidden={() => setShowsHidden(true)}
              />
            }
            active={folder.active}
            onActivate={activate}
            onOpen={openEntry}
            onUp={openParent}
            onDownload={(entry) => void transfers.download(entry)}
          />
        ) : null}
      </DropZone>
      <TransferDialogs transfers={transfers} />
      {isGoing ? <GoToDialog path={path} onGo={go} onClose={() => setGoing(false)} /> : null}
      {viewed && path !== undefined ? (
        <Suspense>
          <FileViewer
            session={session}
            path={joinPath(path, viewed.raw)}
            name={viewed.name}
            onClose={() => setViewed(undefined)}
            onFolder={() => {
              setViewed(undefined)
              go(joinPath(path, viewed.raw))
            }}
            onDownload={() => {
              setViewed(undefined)
              void transfers.download(viewed)
            }}
          />
        </Suspense>
      ) : null}
    </PanelFrame>
  )
}

/** Everything that downloads and uploads have to show or ask. */
function TransferDialogs({ transfers }: { transfers: ReturnType<typeof useTransfers> }) {
  const { transfer, cancel, plans, memory, failed, retry, dismissFailures } = transfers
  return (
    <>
      {transfer ? <TransferDialog transfer={transfer} onCancel={cancel} /> : null}
      {plans.question ? <UploadDialog plan={plans.question} onAnswer={plans.answer} /> : null}
      {memory.question ? <MemoryDialog {...memory.question} onAnswer={memory.answer} /> : null}
      {failed.length ? <UploadFailures failed={failed} onRetry={() => void retry()} onClose={dismissFailures} /> : null}
    </>
  )
}
