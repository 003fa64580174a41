import Close from '@mui/icons-material/Close'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useNotify } from 'react-admin'
import { formatBytes, formatDuration } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { HiddenFileInput } from '../../../components/inputs/HiddenFileInput.tsx'
import { QuestionDialog } from '../../../components/QuestionDialog.tsx'
import { useToast } from '../../../engine/parts/ActionDialog.tsx'
import { type LeftPart, uploadPartName } from '../../../schemas/inspect/fileUploads.ts'
import { clearPrivateFiles } from '../transfer/privateFiles.ts'
import { joinPath, parentOf, type RawPath, rawOfText, shownPath } from '../transfer/remotePath.ts'
import type { ResumableFiles } from '../transfer/resumableFiles.ts'
import {
  discardDownload,
  forgetTransfer,
  interrupted,
  type StoredTransfer,
  storedTransfers,
} from '../transfer/storedTransfers.ts'
import type { Upload } from '../transfer/uploadPlan.ts'
import type { useTransfers } from '../transfer/useTransfers.ts'
import { TransferList } from './ServerTransfers.tsx'

interface InterruptedTransfersProps {
  serverId: number
  /** The folder that is open. */
  path: RawPath
  transfers: Pick<ReturnType<typeof useTransfers>, 'resumeDownload' | 'resumeUploads'>
  /** Left out where the machine cannot say what has arrived. */
  resumable: ResumableFiles | undefined
  /** Parts in the open folder, whoever began them. */
  leftParts: readonly LeftPart[]
  /** Something in the open folder was removed. */
  onChange: () => void
}

/** What was interrupted by leaving the page, how it goes on, and what others have left in the open folder. */
export default function InterruptedTransfers(props: InterruptedTransfersProps) {
  const { serverId, path, transfers, resumable, leftParts, onChange } = props
  const { translate } = useLanguage()
  const notify = useNotify()
  const { showError } = useToast()
  const { interrupted, discard } = useInterrupted(serverId, resumable)
  const [asked, setAsked] = useState<LeftPart | 'all'>()
  const files = useRef<HTMLInputElement>(null)
  const choose = () => files.current?.click()
  const pick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const uploads = chosenAgain(interrupted, [...(target.files ?? [])])
    // Reset, or picking the same files again would cause no change event.
    target.value = ''
    if (uploads.length) void transfers.resumeUploads(uploads)
    else notify('app.files.transfers.not_these', { type: 'warning' })
  }
  const goOn = async (one: StoredTransfer) => {
    if (one.kind === 'download') return transfers.resumeDownload(one)
    const upload = await readAgain(one)
    if (upload) await transfers.resumeUploads([upload])
    else choose()
  }
  const own = new Set(interrupted.map(({ upload }) => upload))
  const others = leftParts.filter(({ upload }) => !own.has(upload))
  const nameOf = ({ name, upload }: LeftPart) => (name ? rawOfText(name) : uploadPartName(upload))
  const removeAsked = async () => {
    setAsked(undefined)
    try {
      if (asked === 'all') await discard(interrupted)
      else if (asked) await resumable?.discard(joinPath(path, nameOf(asked)), asked.upload)
    } catch (error) {
      showError(error)
    }
    onChange()
  }
  if (!interrupted.length && !others.length) return null
  const count = interrupted.length
  const title = translate('app.files.transfers.states.interrupted')
  const removeAll = translate('app.files.transfers.remove_all', { smart_count: count })
  return (
    <Frame>
      <header>
        <h3>{title}</h3>
        <span>{count + others.length}</span>
        {count > 1 ? (
          <Button size="small" color="inherit" onClick={() => setAsked('all')}>
            {removeAll}
          </Button>
        ) : null}
      </header>
      <TransferList aria-label={title}>
        {interrupted.map((one) => (
          <TransferLine
            key={`${one.kind} ${one.path}`}
            transfer={one}
            open={path}
            goesOn={resumable !== undefined}
            onGoOn={() => void goOn(one)}
            onRemove={() => void discard([one]).then(onChange)}
          />
        ))}
        {others.map((part) => (
          <LeftPartLine key={part.upload} part={part} name={shownPath(nameOf(part))} onRemove={() => setAsked(part)} />
        ))}
      </TransferList>
      <HiddenFileInput ref={files} multiple data-upload="again" onChange={pick} />
      {asked ? (
        <QuestionDialog
          title={
            asked === 'all'
              ? removeAll
              : translate('app.files.manage.delete_one', { name: uploadPartName(asked.upload) })
          }
          button={translate(asked === 'all' ? 'ra.action.remove' : 'app.action.delete')}
          onConfirm={() => void removeAsked()}
          onCancel={() => setAsked(undefined)}
        >
          <Typography color="textSecondary">{translate('app.files.manage.no_undo')}</Typography>
        </QuestionDialog>
      ) : null}
    </Frame>
  )
}

interface TransferLineProps {
  transfer: StoredTransfer
  /** The folder that is open. */
  open: RawPath
  /** Whether the machine can say what has arrived. */
  goesOn: boolean
  onGoOn: () => void
  onRemove: () => void
}

function TransferLine({ transfer, open, goesOn, onGoOn, onRemove }: TransferLineProps) {
  const { locale, translate } = useLanguage()
  const { kind, path, name, size, upload, handle, privateName } = transfer
  const act = kind === 'upload' && !handle ? 'app.files.transfers.choose_again' : 'app.files.transfers.go_on'
  const isContinued = goesOn && (kind === 'upload' ? upload : privateName)
  const folder = parentOf(path) ?? '/'
  const facts = [
    translate(kind === 'upload' ? 'app.files.upload' : 'app.files.download'),
    formatBytes(size, locale),
    ...(isContinued ? [] : [translate('app.files.transfers.anew')]),
    ...(folder === open ? [] : [shownPath(folder)]),
  ]
  return (
    <Line name={name} title={shownPath(path)} facts={facts} onRemove={onRemove}>
      <Button size="small" onClick={onGoOn} aria-label={`${translate(act)}: ${name}`}>
        {translate(act)}
      </Button>
    </Line>
  )
}

function LeftPartLine({ part, name, onRemove }: { part: LeftPart; name: string; onRemove: () => void }) {
  const { locale, translate } = useLanguage()
  const { person, size, age } = part
  const facts = [
    person
      ? translate('app.files.transfers.left_part', { person })
      : translate('app.files.transfers.left_part_unknown'),
    formatBytes(size, locale),
    translate('app.duration.ago', { duration: formatDuration(age, translate, 1) }),
  ]
  return <Line name={name} title={uploadPartName(part.upload)} facts={facts} onRemove={onRemove} />
}

interface LineProps {
  name: string
  /** All of what is cut off. */
  title: string
  facts: readonly string[]
  onRemove: () => void
  /** What else can be done. */
  children?: ReactNode
}

function Line({ name, title, facts, onRemove, children }: LineProps) {
  const { translate } = useLanguage()
  const remove = translate('app.files.transfers.remove', { name })
  const text = facts.join(' · ')
  return (
    <li>
      <div className="head">
        <b title={title}>{name}</b>
        <IconButton size="small" color="inherit" aria-label={remove} title={remove} onClick={onRemove}>
          <Close fontSize="small" />
        </IconButton>
      </div>
      <div className="foot">
        <span className="facts" title={text}>
          {text}
        </span>
        {children}
      </div>
    </li>
  )
}

const Frame = styled('section')(({ theme }) => ({
  flex: 'none',
  display: 'flex',
  flexDirection: 'column',
  maxHeight: '40%',
  minHeight: 0,
  fontSize: 13,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > header': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    minHeight: 32,
    paddingInline: theme.spacing(1.5, 1),
    color: theme.vars.palette.text.secondary,
    fontVariantNumeric: 'tabular-nums',
  },
  '& h3': { margin: 0, fontSize: 13, fontWeight: 600, color: theme.vars.palette.text.primary },
  '& > header > button': { marginInlineStart: 'auto' },
  '& > ul': { flex: '0 1 auto', maxHeight: 'none', minHeight: 0 },
  '& .head > b': { flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .head > button': { marginBlock: theme.spacing(-0.5) },
  '& .foot': { display: 'flex', alignItems: 'center', gap: theme.spacing(1), minHeight: 24 },
  '& .foot > button': { flex: 'none', paddingBlock: 0 },
  // A folder of any depth takes two lines.
  '& .foot > .facts': {
    flex: 1,
    minWidth: 0,
    display: '-webkit-box',
    WebkitBoxOrient: 'vertical',
    WebkitLineClamp: 2,
    overflow: 'hidden',
    overflowWrap: 'anywhere',
  },
}))

const none: StoredTransfer[] = []

/** The transfers of a server that were interrupted. @param resumable removes the parts that are left there */
function useInterrupted(serverId: number, resumable: ResumableFiles | undefined) {
  const { showError } = useToast()
  const query = useQuery({
    queryKey: ['interrupted-transfers', serverId],
    queryFn: async () => (await interrupted(await storedTransfers())).filter((one) => one.serverId === serverId),
    gcTime: 0,
    retry: false,
  })
  useEffect(() => void clearOld(), [])

  return {
    interrupted: query.data ?? none,
    /** Forgets some, with what has arrived of them. */
    async discard(some: readonly StoredTransfer[]): Promise<void> {
      try {
        for (const one of some) {
          if (one.upload) await resumable?.discard(one.path, one.upload)
          if (one.privateName) await discardDownload(one.privateName)
          await forgetTransfer(one)
        }
      } catch (error) {
        showError(error)
      }
      await query.refetch()
    },
  }
}

/** Removes downloads from the browser's own storage that nobody needs any more. */
async function clearOld(): Promise<void> {
  try {
    await clearPrivateFiles((await storedTransfers()).flatMap(({ privateName = '' }) => privateName || []))
  } catch (error) {
    console.warn('Old downloads could not be removed.', error)
  }
}

const uploadOf = ({ path, name, upload }: StoredTransfer, file: File): Upload => ({
  target: path,
  name,
  file,
  exists: true,
  ...(upload && { part: upload }),
})

/**
 * Which uploads files belong to that a person has chosen again: by name and size, and by date where several are alike. What
 * has arrived is compared besides, before anything is sent.
 */
function chosenAgain(stored: readonly StoredTransfer[], files: readonly File[]): Upload[] {
  const left = new Set(files)
  return stored.flatMap((one) => {
    if (one.kind !== 'upload') return []
    const alike = [...left].filter(
      ({ name, size }) => size === one.size && (one.name === name || one.name.endsWith(`/${name}`)),
    )
    const file = alike.find(({ lastModified }) => lastModified === one.modified) ?? alike[0]
    if (!file) return []
    left.delete(file)
    return [uploadOf(one, file)]
  })
}

/** The part of the File System Access API that is used; only some browsers have it. */
type PermittedHandle = FileSystemFileHandle & {
  requestPermission?(options: { mode: 'read' }): Promise<PermissionState>
}

/** The upload with the file that the browser has remembered; `undefined` where it has to be chosen. Must be called from a click. */
async function readAgain(one: StoredTransfer): Promise<Upload | undefined> {
  const handle: PermittedHandle | undefined = one.handle
  try {
    if ((await handle?.requestPermission?.({ mode: 'read' })) === 'denied') return undefined
    const file = await handle?.getFile()
    return file?.size === one.size ? { ...uploadOf(one, file), handle } : undefined
  } catch {
    // It was moved away.
    return undefined
  }
}
