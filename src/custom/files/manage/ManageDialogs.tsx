import PauseIcon from '@mui/icons-material/Pause'
import PlayArrowIcon from '@mui/icons-material/PlayArrow'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import DialogContent from '@mui/material/DialogContent'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useDataProvider, useEvent, useTranslate } from 'react-admin'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { ActionDialog, CloseFooter } from '../../../engine/parts/ActionDialog.tsx'
import { LogView, type ShownLine } from '../../../resources/server/inspect/LogView.tsx'
import { foundRows, SearchField } from '../../../resources/server/inspect/SubjectPanel.tsx'
import { fileEndpoints } from '../../../schemas/endpoints/fileEndpoints.ts'
import type { FollowedFile } from '../../../schemas/inspect/files.ts'
import {
  type Entry,
  type Items,
  joinPath,
  pathText,
  type RawPath,
  rawFromText,
  unpackedName,
} from '../transfer/remotePath.ts'
import type { OpenFolder } from '../transfer/useFolder.ts'
import { ChecksumDialog, SearchDialog, SizesDialog } from './AnswerDialogs.tsx'
import { MoveDialog, SendDialog } from './MoveSendDialogs.tsx'
import { NameDialog } from './NameDialog.tsx'
import { RightsDialog } from './RightsDialog.tsx'
import type { FileActions } from './useFileActions.ts'
import type { Sending } from './useServerTransfers.ts'

interface ManageDialogsProps {
  serverId: number
  folder: OpenFolder
  items: Items
  actions: FileActions
  onGo: (folder: RawPath, active?: RawPath) => void
  onSend: (entries: readonly Entry[], sending: Sending) => void
}

/** What is asked before something is done with files. */
export default function ManageDialogs({ serverId, folder, items, actions, onGo, onSend }: ManageDialogsProps) {
  const translate = useTranslate()
  const { question, dismiss } = actions
  const isTaken = (name: string) => {
    const typed = rawFromText(name)
    return folder.entries.some(({ raw }) => raw === typed)
  }
  const go = (path: RawPath, active?: RawPath) => {
    dismiss()
    onGo(path, active)
  }
  const { path } = folder
  switch (question?.kind) {
    case 'create':
      return (
        <NameDialog
          title={translate(`app.files.manage.new_${question.what}`)}
          button={translate('app.files.manage.create')}
          name=""
          isNew
          isTaken={isTaken}
          onName={(name) => void actions.create(name, question.what)}
          onClose={dismiss}
        />
      )
    case 'rename':
      return (
        <NameDialog
          title={translate('app.files.manage.rename_title', { name: question.entry.name })}
          button={translate('app.files.manage.rename')}
          name={question.entry.name}
          isTaken={isTaken}
          onName={(name) => void actions.rename(question.entry, name)}
          onClose={dismiss}
        />
      )
    case 'delete':
      return (
        <DeleteDialog
          serverId={serverId}
          entries={question.entries}
          paths={actions.pathsOf(question.entries)}
          onConfirm={() => void actions.remove(question.entries)}
          onClose={dismiss}
        />
      )
    case 'rights':
      return (
        <RightsDialog
          entries={question.entries}
          items={items}
          onRights={(rights) => void actions.setRights(question.entries, rights)}
          onClose={dismiss}
        />
      )
    case 'pack': {
      const [first] = question.entries
      return (
        <NameDialog
          title={translate('app.files.manage.pack_title', { smart_count: question.entries.length })}
          button={translate('app.files.manage.pack')}
          name={`${question.entries.length === 1 ? first?.name : 'archive'}.tar.gz`}
          help={translate('app.files.manage.pack_help')}
          isNew
          isTaken={isTaken}
          onName={(name) => void actions.pack(question.entries, name)}
          onClose={dismiss}
        />
      )
    }
    case 'move':
      return (
        <MoveDialog
          serverId={serverId}
          path={path}
          entries={question.entries}
          onMove={(to, overwrite) => void actions.moveTo(question.entries, to, overwrite)}
          onClose={dismiss}
        />
      )
    case 'send':
      return (
        <SendDialog
          serverId={serverId}
          path={path}
          entries={question.entries}
          onSend={(sending) => {
            dismiss()
            onSend(question.entries, sending)
          }}
          onClose={dismiss}
        />
      )
    case 'unpack':
      return (
        <NameDialog
          title={translate('app.files.manage.unpack_title', { name: question.entry.name })}
          button={translate('app.files.manage.unpack')}
          name={unpackedName(question.entry.name)}
          isNew
          isTaken={isTaken}
          onName={(name) => void actions.unpack(question.entry, name)}
          onClose={dismiss}
        />
      )
    case 'checksum': {
      const { raw, name } = question.entry
      return <ChecksumDialog serverId={serverId} path={joinPath(path, raw)} name={name} onClose={dismiss} />
    }
    case 'follow': {
      const { raw, name } = question.entry
      return <FollowDialog serverId={serverId} path={joinPath(path, raw)} name={name} onClose={dismiss} />
    }
    case 'search':
      return <SearchDialog serverId={serverId} path={path} onGo={go} onClose={dismiss} />
    case 'sizes':
      return <SizesDialog serverId={serverId} path={path} onGo={go} onClose={dismiss} />
    case 'overwrite':
      return (
        <QuestionDialog
          title={translate('app.files.overwrite_title', { smart_count: question.names.length })}
          button={translate('app.files.overwrite', { smart_count: question.names.length })}
          onConfirm={question.paste}
          onCancel={dismiss}
        >
          <p style={{ overflowWrap: 'anywhere' }}>{question.names.slice(0, 8).join(', ')}</p>
        </QuestionDialog>
      )
    default:
      return null
  }
}

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
function DeleteDialog({ serverId, entries, paths, onConfirm, onClose }: DeleteDialogProps) {
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

interface FollowDialogProps {
  serverId: number
  path: RawPath
  name: string
  onClose: () => void
}

/** The end of a file as it grows, with a search in what is shown. */
function FollowDialog({ serverId, path, name, onClose }: FollowDialogProps) {
  const { locale, translate } = useLanguage()
  const { lines, last, failure, isHeld, setHeld } = useFollowedFile(serverId, path)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed)
  const shown = foundRows(lines, search, ({ message }) => message)
  return (
    <ActionDialog title={translate('app.files.follow_title', { name })} onClose={onClose} width={1200}>
      <DialogContent aria-busy={!last && !failure}>
        <Stack direction="row" sx={{ flexWrap: 'wrap', alignItems: 'center', gap: 1.5, marginBottom: 1.5 }}>
          <SearchField value={typed} onChange={setTyped} />
          <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {last ? formatBytes(last.size, locale) : ' '}
          </Typography>
          <Button
            size="small"
            startIcon={isHeld ? <PlayArrowIcon fontSize="small" /> : <PauseIcon fontSize="small" />}
            onClick={() => setHeld(!isHeld)}
            sx={{ marginInlineStart: 'auto' }}
          >
            {translate(isHeld ? 'app.inspect.go_on' : 'app.inspect.hold')}
          </Button>
        </Stack>
        {failure ? (
          <Alert severity="warning" sx={{ marginBottom: 1 }}>
            {failure}
          </Alert>
        ) : null}
        <LogView label={name} lines={shown} empty={last ? translate('app.inspect.logs.none') : ''} />
      </DialogContent>
      <CloseFooter onClose={onClose} />
    </ActionDialog>
  )
}

/** What is kept on screen: lines, and characters of them; and how long a piece of a line is. */
const kept = { lines: 10_000, characters: 4 * 1024 * 1024, piece: 8192 } as const
/** Milliseconds between two questions, and after one that failed. */
const pollMs = { next: 1000, more: 50, failed: 3000 } as const
/** As a log has it: shown like a warning. */
const noticePriority = 4

/** The end of a file as it grows. It is asked for while this is drawn, in view and not held. */
function useFollowedFile(serverId: number, path: RawPath) {
  const { locale, translate } = useLanguage()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [lines, setLines] = useState<readonly ShownLine[]>([])
  const [last, setLast] = useState<FollowedFile>()
  const [failure, setFailure] = useState<string>()
  const [isHeld, setHeld] = useState(false)

  const ask = useEvent(async (known: FollowedFile | undefined): Promise<FollowedFile> => {
    const place = known && { file: known.file, offset: known.offset }
    return await call(fileEndpoints.followFile, { id: serverId, path: pathText(path), ...place })
  })
  const take = useEvent((found: FollowedFile, known: FollowedFile | undefined) => {
    const notices = [
      ...(found.change ? [translate(`app.files.follow_${found.change}`)] : []),
      // At the beginning it is what comes before the end, and nobody has asked for it.
      ...(found.skipped && known
        ? [translate('app.files.follow_skipped', { size: formatBytes(found.skipped, locale) })]
        : []),
    ].map((message) => ({ message, priority: noticePriority }))
    setLast(found)
    setFailure(undefined)
    if (notices.length || found.text) setLines((now) => boundedLines([...now, ...notices, ...linesOf(found.text)]))
  })
  const failed = useEvent((error: unknown) => {
    const message = error instanceof Error ? error.message : ''
    setFailure(translate(message || 'app.toast.unexpected'))
  })
  const start = useEvent(() => last)

  useEffect(() => {
    if (isHeld) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let known = start()
    const next = async () => {
      let wait: number = pollMs.next
      try {
        if (!document.hidden) {
          const found = await ask(known)
          if (isOver) return
          take(found, known)
          known = found
          if (found.more) wait = pollMs.more
        }
      } catch (error) {
        if (isOver) return
        failed(error)
        wait = pollMs.failed
      }
      timer = setTimeout(() => void next(), wait)
    }
    void next()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isHeld, ask, take, failed, start])

  const rest = last?.rest ? linesOf(last.rest) : []
  return { lines: rest.length ? [...lines, ...rest] : lines, last, failure, isHeld, setHeld }
}

const linesOf = (text: string): ShownLine[] =>
  text
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line) => piecesOf(line.replace(/\r$/, '')).map((message) => ({ message })))

/** A line without end would be drawn whole. */
const piecesOf = (line: string): string[] =>
  line.length <= kept.piece ? [line] : (line.match(new RegExp(`[^]{1,${kept.piece}}`, 'g')) ?? [])

/** The last lines, as many as are kept. */
function boundedLines(lines: readonly ShownLine[]): readonly ShownLine[] {
  let characters = 0
  let from = lines.length
  while (from > 0 && lines.length - from < kept.lines && characters < kept.characters) {
    from -= 1
    characters += lines[from]?.message.length ?? 0
  }
  return from === 0 ? lines : lines.slice(from)
}
