import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import { Suspense, useEffect, useState } from 'react'
import { useEvent, useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import CodeEditor from '../../../components/CodeEditor.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { fileLimits } from '../../../schemas/inspect/files.ts'
import { FileFailure } from '../transfer/fileFailure.ts'
import type { FileSession } from '../transfer/fileSession.ts'
import type { RawPath } from '../transfer/remotePath.ts'
import { useFailureMessage } from '../transfer/useFailureMessage.ts'
import { FileParts, type ReadPart } from './FileParts.tsx'
import { readForView, type Viewed } from './readForView.ts'
import { TextEditor } from './TextEditor.tsx'

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
