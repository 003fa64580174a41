import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { type FormEvent, Suspense, useEffect, useId, useState } from 'react'
import { useEvent, useTranslate } from 'react-admin'
import CodeEditor from '../../../components/CodeEditor.tsx'
import { formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { fileLimits } from '../../../schemas/inspect/files.ts'
import { FileFailure } from '../transfer/fileFailure.ts'
import type { FileSession } from '../transfer/fileSession.ts'
import type { RawPath } from '../transfer/remotePath.ts'
import { useFailureMessage } from '../transfer/useFailureMessage.ts'
import { readForView, type Viewed } from './readForView.ts'
import { TextEditor } from './TextEditor.tsx'
import { replacingText } from './textFile.ts'

interface FileViewerProps {
  session: FileSession
  path: RawPath
  name: string
  onClose: () => void
  /** It is a link to a folder. */
  onFolder: () => void
  onDownload: () => void
  /** Left out where files cannot be followed. */
  onFollow?: () => void
  /** Left out where a file can only be read as a whole. */
  readPart?: ReadPart
}

// It weighs more than the console.
const PdfViewer = lazyPart(() => import('./pdf/PdfViewer.tsx'))

/** Shows a file: a picture, a PDF, a text that can be edited, or anything else as read-only text or in hexadecimal digits. */
export default function FileViewer(props: FileViewerProps) {
  const { session, path, name, onClose, onFolder, onDownload, onFollow, readPart } = props
  const translate = useTranslate()
  const messageOf = useFailureMessage()
  const [viewed, setViewed] = useState<Viewed>()
  const [failure, setFailure] = useState<string>()
  const [isTooLarge, setTooLarge] = useState(false)
  const [showsHex, setShowsHex] = useState(false)
  const found = useEvent((what: Viewed) => (what.kind === 'folder' ? onFolder() : setViewed(what)))
  const failed = useEvent((error: unknown) => {
    setFailure(messageOf(error))
    setTooLarge(error instanceof FileFailure && error.failure.code === 'too_large')
  })

  useEffect(() => {
    let isOpen = true
    readForView(session, path, name).then(
      (what) => isOpen && found(what),
      (error) => isOpen && failed(error),
    )
    return () => {
      isOpen = false
    }
  }, [session, path, name, found, failed])

  const readsParts = isTooLarge && readPart !== undefined
  const isPdf = viewed?.kind === 'pdf'
  const isPicture = isPdf || viewed?.kind === 'image'
  const hasHex = isPdf || viewed?.kind === 'other'
  const otherView = isPdf ? 'app.files.as_pages' : 'app.files.as_text'
  if (viewed?.kind === 'text') {
    return (
      <TextEditor session={session} path={path} name={name} opened={viewed} onClose={onClose} onFollow={onFollow} />
    )
  }
  return (
    <ActionDialog title={name} onClose={onClose} width={960}>
      <DialogContent aria-busy={!viewed && !failure}>
        {failure && !readsParts ? <Alert severity="error">{failure}</Alert> : null}
        {readsParts ? <FileParts read={readPart} name={name} isHex={showsHex} /> : null}
        {viewed?.kind === 'image' ? <ImagePreview blob={viewed.blob} name={name} /> : null}
        {viewed?.kind === 'pdf' && !showsHex ? (
          <Suspense fallback={<CircularProgress aria-label={translate('app.list.loading')} />}>
            <PdfViewer bytes={viewed.bytes} name={name} />
          </Suspense>
        ) : null}
        {viewed?.kind === 'pdf' && showsHex ? <FileParts read={partsOf(viewed.bytes)} name={name} isHex /> : null}
        {viewed?.kind === 'other' || viewed?.kind === 'kernel' ? (
          <>
            <Alert severity="info" sx={{ marginBottom: 1 }}>
              {translate(viewed.kind === 'kernel' ? 'app.files.kernel_file' : 'app.files.not_text')}
            </Alert>
            {showsHex && viewed.kind === 'other' ? (
              <FileParts read={partsOf(viewed.bytes)} name={name} isHex />
            ) : (
              <CodeEditor value={viewed.text} readOnly label={name} />
            )}
          </>
        ) : null}
        {viewed || failure ? null : <CircularProgress aria-label={translate('app.list.loading')} />}
      </DialogContent>
      <DialogActions>
        {hasHex || readsParts ? (
          <Button onClick={() => setShowsHex(!showsHex)}>{translate(showsHex ? otherView : 'app.files.as_hex')}</Button>
        ) : null}
        {onFollow && (failure || (viewed && !isPicture)) ? (
          <Button onClick={onFollow}>{translate('app.files.manage.follow')}</Button>
        ) : null}
        <Button onClick={onDownload}>{translate('app.files.download')}</Button>
        <Button onClick={onClose} variant="contained">
          {translate('app.action.close')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

/** Parts of what was read as a whole. */
const partsOf =
  (bytes: Uint8Array): ReadPart =>
  async (offset) => ({ bytes: bytes.subarray(offset, offset + fileLimits.partBytes), size: bytes.length })

/** A picture, in nothing but an `<img>`: scripts inside an SVG do not run there. */
function ImagePreview({ blob, name }: { blob: Blob; name: string }) {
  const translate = useTranslate()
  const [isBroken, setBroken] = useState(false)
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  if (isBroken) return translate('app.files.broken_image')
  if (!url) return null
  return (
    <img
      src={url}
      alt={name}
      onError={() => setBroken(true)}
      style={{ display: 'block', maxWidth: '100%', maxHeight: '70vh', margin: '0 auto', objectFit: 'contain' }}
    />
  )
}

/** Some bytes of a file, and how many it has. */
interface FileBytes {
  bytes: Uint8Array
  size: number
}

/** Reads up to `fileLimits.partBytes` of a file. @throws Error in words */
type ReadPart = (offset: number) => Promise<FileBytes>

const { partBytes } = fileLimits

interface FilePartsProps {
  read: ReadPart
  name: string
  isHex: boolean
}

/** A file part by part, from any byte on, in hexadecimal digits or as text. */
function FileParts({ read, name, isHex }: FilePartsProps) {
  const { translate, locale } = useLanguage()
  const id = useId()
  const [offset, setOffset] = useState(0)
  const [typed, setTyped] = useState('0')
  const [part, setPart] = useState<FileBytes & { offset: number }>()
  const [problem, setProblem] = useState<string>()
  const readAt = useEvent(read)
  useEffect(() => {
    let isOpen = true
    readAt(offset).then(
      (found) => {
        if (!isOpen) return
        setPart({ ...found, offset })
        setProblem(undefined)
      },
      (error: unknown) => isOpen && setProblem(error instanceof Error ? error.message : String(error)),
    )
    return () => {
      isOpen = false
    }
  }, [offset, readAt])
  const size = part?.size ?? 0
  const wanted = typedOffset(typed)
  const go = (to: number) => {
    setOffset(to)
    setTyped(String(to))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // A dump is read by its lines.
    if (wanted !== undefined) go(wanted - (wanted % 16))
  }
  const last = Math.max(0, Math.ceil(size / partBytes) - 1) * partBytes
  const number = (value: number) => formatNumber(value, locale)
  return (
    <>
      <Bar onSubmit={submit}>
        <Button type="button" disabled={offset === 0} onClick={() => go(Math.max(0, offset - partBytes))}>
          {translate('app.list.previous_page')}
        </Button>
        <Button type="button" disabled={offset + partBytes >= size} onClick={() => go(offset + partBytes)}>
          {translate('app.list.next_page')}
        </Button>
        <label htmlFor={id}>{translate('app.files.offset')}</label>
        <OutlinedInput
          id={id}
          size="small"
          value={typed}
          error={wanted === undefined || (part !== undefined && wanted > size)}
          onChange={({ target }) => setTyped(target.value)}
          slotProps={{ input: { spellCheck: false, inputMode: 'text' } }}
          sx={{ width: 160, '& input': { fontFamily: 'var(--mono)', paddingBlock: '5px' } }}
        />
        <Button type="button" disabled={offset >= last} onClick={() => go(last)}>
          {translate('app.files.end')}
        </Button>
        {part ? (
          <span role="status">
            {translate('app.files.bytes_of', {
              from: number(part.offset),
              to: number(part.offset + part.bytes.length),
              size: number(size),
            })}
          </span>
        ) : null}
      </Bar>
      {problem ? <Alert severity="error">{problem}</Alert> : null}
      {part ? (
        <CodeEditor
          value={isHex ? hexDump(part.bytes, part.offset) : replacingText(part.bytes)}
          readOnly
          label={name}
          height="min(58vh, 680px)"
        />
      ) : null}
    </>
  )
}

const Bar = styled('form')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0.5, 1),
  marginBottom: theme.spacing(1),
  fontSize: 13,
  '& > span': { fontVariantNumeric: 'tabular-nums' },
}))

const perLine = 16

/**
 * Offset, bytes and what of them is plain ASCII, as `hexdump -C` prints it: a line of text for each sixteen bytes.
 * @param offset of the first byte
 */
export function hexDump(bytes: Uint8Array, offset = 0): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += perLine) {
    const part = Array.from(bytes.subarray(at, at + perLine))
    const digits = part.map((byte) => byte.toString(16).padStart(2, '0'))
    const halves = [digits.slice(0, 8).join(' ').padEnd(23), digits.slice(8).join(' ').padEnd(23)]
    const text = part.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${(offset + at).toString(16).padStart(8, '0')}  ${halves.join('  ')}  |${text}|`)
  }
  return lines.join('\n')
}

/** A byte to go to as a person types it: `4096`, `0x1000`; `undefined` for anything else. */
export function typedOffset(text: string): number | undefined {
  const typed = text.trim()
  const offset = /^(?:\d+|0x[\da-f]+)$/i.test(typed) ? Number(typed) : undefined
  return Number.isSafeInteger(offset) ? offset : undefined
}
