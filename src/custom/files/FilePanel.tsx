import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useDataProvider, useEvent, useNotify, useStore, useTranslate } from 'react-admin'
import { SearchInput } from '../../components/inputs/SearchInput.tsx'
import { settingQuery } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { fileEndpoints } from '../../schemas/endpoints/fileEndpoints.ts'
import { fileUploadEndpoints } from '../../schemas/endpoints/fileUploadEndpoints.ts'
import { isUploadPartName, type LeftPart } from '../../schemas/inspect/fileUploads.ts'
import { TransferDialogs } from './dialogs/TransferDialogs.tsx'
import { DropZone } from './list/DropZone.tsx'
import { EmptyFolder, FileHeader, FileList } from './list/FileList.tsx'
import { GoToDialog, PathBar } from './list/PathBar.tsx'
import { useCompare, useMakeFolders, useReadPart, useResumableFiles } from './manage/fileCalls.ts'
import { ManageBar } from './manage/ManageBar.tsx'
import { useFileActions } from './manage/useFileActions.ts'
import { useSelection } from './manage/useSelection.ts'
import { useServerTransfers } from './manage/useServerTransfers.ts'
import { droppedFiles, type LocalFile, pickedFiles } from './transfer/droppedFiles.ts'
import {
  type Entry,
  filteredEntries,
  type Items,
  itemsByName,
  joinPath,
  parentOf,
  pathText,
  type RawPath,
  type Sorting,
  shownPath,
  sortedBy,
} from './transfer/remotePath.ts'
import { type OpenFolder, useFolder } from './transfer/useFolder.ts'
import { useTransfers } from './transfer/useTransfers.ts'
import type { OpenedFiles } from './useFileSession.ts'

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
  containerType: 'inline-size',
  containerName: 'files',
  '& > .progress': { flex: 'none', height: 4 },
}))

const FileViewer = lazyPart(() => import('./view/FileViewer.tsx'))
const ServerTransfers = lazyPart(() => import('./list/ServerTransfers.tsx'))
const InterruptedTransfers = lazyPart(() => import('./list/InterruptedTransfers.tsx'))
const SharedFiles = lazyPart(() => import('../sharedFiles/SharedFiles.tsx'))
const ManageDialogs = lazyPart(() => import('./manage/ManageDialogs.tsx'))

interface FilePanelProps extends OpenedFiles {
  serverName: string
  /** Left out: there is no button to close it. */
  onClose?(): void
  /** Called with whether a dialog is open or a transfer under way, which would be lost with the panel. */
  onKeep?(isKept: boolean): void
}

/** The files of a server. It fills the place it is given. */
export default function FilePanel({
  serverId,
  session,
  path: begun,
  first,
  serverName,
  onClose,
  onKeep,
}: FilePanelProps) {
  const translate = useTranslate()
  const notify = useNotify()
  const { folder, failure, isLoading, open, changed, refresh, activate, leave } = useFolder(session)
  const [showsHidden, setShowsHidden] = useStore('files.hidden', false)
  const [filter, setFilter] = useState('')
  const [isGoing, setGoing] = useState(false)
  const [viewed, setViewed] = useState<Entry>()

  const openFirst = useEvent(() => void open(begun, undefined, first))
  useEffect(() => {
    openFirst()
  }, [openFirst])

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
  const { items, isManaged, isPending, answer } = useFolderItems(serverId, folder)
  const makeFolders = useMakeFolders(serverId)
  const readPartOf = useReadPart(serverId)
  const compare = useCompare(serverId)
  const resumable = useResumableFiles(serverId)
  const leftParts = useLeftParts(serverId, isManaged ? folder : undefined)
  const transfers = useTransfers({
    serverId,
    session,
    path: folder?.path,
    makeFolders: isManaged ? makeFolders : undefined,
    compare: isManaged ? compare : undefined,
    resumable: isManaged ? resumable : undefined,
    onChange: refresh,
  })
  const [sorting, setSorting] = useStore<Sorting>('files.sorting', byName)
  const entries = folder?.entries
  const shown = useMemo(() => {
    const found = filteredEntries(entries ?? [], filter, showsHidden)
    return isManaged ? sortedBy(found, items, sorting) : found
  }, [entries, filter, showsHidden, isManaged, items, sorting])
  const selection = useSelection(path)
  const selected = selection.of(shown)
  const upload = (files: LocalFile[], folders?: string[]) => void transfers.upload(files, folders)
  /** Must be called while the event is handled that brings the files. */
  const receive = async (data: DataTransfer) => {
    const { files, folders, unreadable } = await droppedFiles(data)
    const messageArgs = { names: unreadable.join(', ') }
    if (unreadable.length) notify('app.files.drop_unreadable', { type: 'warning', messageArgs })
    upload(files, folders)
  }
  const onReceive = useEvent((data: DataTransfer) => void receive(data))
  const actions = useFileActions({
    serverId,
    folder: isManaged ? folder : undefined,
    shown,
    selection,
    onChange: changed,
  })

  const { question, isBusy } = actions
  const { transfer, plans, memory, failed } = transfers
  const isAsking = isGoing || [viewed, question, plans.question, memory.question].some((open) => open !== undefined)
  const isKept = isAsking || isBusy || transfer !== undefined || failed.length > 0
  const keep = useEvent((now: boolean) => onKeep?.(now))
  useEffect(() => keep(isKept), [keep, isKept])

  const serverTransfers = useServerTransfers(serverId, isManaged, () => void refresh())
  const { transfers: ofServer } = serverTransfers
  const pathsOf = (chosen: readonly Entry[]) => chosen.map(({ raw }) => joinPath(path ?? '/', raw))
  const download = (entry: Entry) =>
    void (entry.isFolder ? serverTransfers.archive(pathsOf([entry])) : transfers.download(entry))

  const frame = useListFocus(isBusy, selected.length > 0, actions.clip !== undefined)
  return (
    <PanelFrame ref={frame} aria-label={translate('app.files.title', { name: serverName })} aria-busy={isLoading}>
      <PathBar
        path={path}
        showsHidden={showsHidden}
        onShowHidden={setShowsHidden}
        onOpen={go}
        onRefresh={() => void refresh()}
        onGoTo={() => setGoing(true)}
        onUpload={upload}
        actions={isManaged ? actions : undefined}
        onClose={onClose}
      />
      <SearchInput
        value={filter}
        onChange={setFilter}
        label={translate('app.files.filter')}
        sx={{ flex: 'none', margin: 1, '& input': { paddingBlock: '5px' } }}
      />
      <div className="progress">
        {isLoading || actions.isBusy ? <LinearProgress aria-label={translate('app.list.loading')} /> : null}
      </div>
      {failure ? (
        <RetryAlert sx={{ margin: 1, overflowWrap: 'anywhere' }} onRetry={() => go(failure.path)}>
          {failure.message}
        </RetryAlert>
      ) : null}
      {isManaged ? (
        <>
          <ManageBar
            selected={selected}
            actions={actions}
            onArchive={() => void serverTransfers.archive(pathsOf(selected))}
            onClear={selection.clear}
          />
          <FileHeader
            sorting={sorting}
            onSort={setSorting}
            isAll={shown.length > 0 && selected.length === shown.length}
            isSome={selected.length > 0}
            onAll={(selects) => selection.set(selects ? shown : [])}
          />
        </>
      ) : null}
      <DropZone
        isOpen={path !== undefined && !failure}
        hint={translate('app.files.drop_here', { path: path === undefined ? '' : shownPath(path) })}
        onReceive={onReceive}
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
            managed={isManaged ? { items, selection, actions } : undefined}
            onActivate={activate}
            onOpen={openEntry}
            onUp={openParent}
            onRefresh={() => void refresh()}
            onReceive={onReceive}
            onDownload={download}
          />
        ) : null}
      </DropZone>
      {answer?.cause ? (
        <Typography variant="caption" color="textSecondary" component="p" sx={{ padding: 1 }}>
          {translate('app.files.manage.not_here', {
            reason: translate(`app.inspect.causes.${answer.cause}`, { _: answer.reason, detail: answer.detail ?? '' }),
          })}
        </Typography>
      ) : null}
      {isManaged && ofServer.length > 0 ? (
        <Suspense>
          <ServerTransfers transfers={ofServer} onCancel={(one) => void serverTransfers.cancel(one)} />
        </Suspense>
      ) : null}
      {/* Removed before it is known, an upload would leave its part behind. */}
      {path !== undefined && transfer === undefined && !isPending ? (
        <Suspense>
          <InterruptedTransfers
            serverId={serverId}
            path={path}
            transfers={transfers}
            resumable={isManaged ? resumable : undefined}
            leftParts={leftParts}
            onChange={() => void refresh()}
          />
        </Suspense>
      ) : null}
      {path !== undefined ? (
        <Suspense>
          <SharedFiles onUpload={(files) => transfers.upload(pickedFiles(files))} />
        </Suspense>
      ) : null}
      <TransferDialogs transfers={transfers} />
      {folder && actions.question ? (
        <Suspense>
          <ManageDialogs
            serverId={serverId}
            folder={folder}
            items={items}
            actions={actions}
            onGo={go}
            onSend={(chosen, sending) => void serverTransfers.send(pathsOf(chosen), sending)}
          />
        </Suspense>
      ) : null}
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
            onFollow={
              isManaged
                ? () => {
                    setViewed(undefined)
                    actions.follow(viewed)
                  }
                : undefined
            }
            readPart={isManaged ? readPartOf(joinPath(path, viewed.raw)) : undefined}
          />
        </Suspense>
      ) : null}
    </PanelFrame>
  )
}

/**
 * A button that goes with the selection, or is off while something is done, loses the focus: the list takes it, and the
 * keys go on from there.
 */
function useListFocus(isBusy: boolean, hasSelection: boolean, hasClip: boolean) {
  const frame = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what buttons come and go with
  useEffect(() => {
    if (document.activeElement === document.body) frame.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  }, [isBusy, hasSelection, hasClip])
  return frame
}

const byName: Sorting = { key: 'name', isDescending: false }

const none: Items = new Map()

/**
 * What the machine's own programs say about the open folder, asked for each time it is listed. Servers without such
 * calls are not asked.
 */
function useFolderItems(serverId: number, folder: OpenFolder | undefined) {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  // The session of the files asks for the settings.
  const setting = useQuery({ ...settingQuery(dataProvider), enabled: false }).data
  const isKnown = setting?.wheelhouse?.inspect === true
  const path = folder?.path ?? ''
  const query = useQuery({
    queryKey: ['files', serverId, path],
    queryFn: () => dataProvider.call(fileEndpoints.folder, { id: serverId, path: pathText(path) }),
    // Asked below, whenever the folder was listed.
    enabled: false,
    // That files can be managed here holds while the next folder is on its way.
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  })
  const entries = folder?.entries
  const ask = useEvent(() => void query.refetch())
  const isAsked = isKnown && path.startsWith('/')
  useEffect(() => {
    if (isAsked && entries) ask()
  }, [isAsked, entries, ask])
  const { data, isPlaceholderData } = query
  const items = useMemo(() => (data && !isPlaceholderData ? itemsByName(data.items) : none), [data, isPlaceholderData])
  return {
    items,
    /** Whether files can be managed here. */
    isManaged: data !== undefined && data.cause === undefined,
    /** Whether that is not known yet. */
    isPending: isAsked && query.isPending,
    /** Why not, where the machine was asked. */
    answer: data,
  }
}

const noParts: readonly LeftPart[] = []

/**
 * The parts of uploads in the open folder that nobody has gone on with for a while, whoever began them.
 * @param folder left out where the machine cannot say it. It is asked only about a folder that has parts
 */
function useLeftParts(serverId: number, folder: OpenFolder | undefined): readonly LeftPart[] {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const entries = folder?.entries
  const parts = useMemo(
    () => (entries ?? []).filter(({ raw }) => isUploadPartName(raw)).map(({ raw }) => raw),
    [entries],
  )
  const query = useQuery({
    // Whenever the folder is read again and has others.
    queryKey: ['left-parts', serverId, folder?.path, parts],
    queryFn: async () =>
      (await call(fileUploadEndpoints.leftParts, { id: serverId, path: pathText(folder?.path ?? '/') })).items,
    enabled: parts.length > 0,
    gcTime: 0,
    retry: false,
  })
  return (parts.length > 0 && query.data) || noParts
}
