import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useLocale, useTimeout, useTranslate } from 'react-admin'
import { formatBytes, formatDuration, formatPercent, formatSpeeds } from '../../../components/format/format.ts'
import { ActionDialog } from '../../../engine/parts/ActionDialog.tsx'
import { MoreNames } from '../../../engine/parts/MoreNames.tsx'
import type { UploadPlan } from '../transfer/uploadPlan.ts'
import type { Transfer, TransferProgress } from '../transfer/useTransferDialog.ts'
import type { FailedUpload, UploadAnswer, useTransfers } from '../transfer/useTransfers.ts'

/** Everything that downloads and uploads have to show or ask. */
export function TransferDialogs({ transfers }: { transfers: ReturnType<typeof useTransfers> }) {
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

interface TransferDialogProps {
  transfer: Transfer
  onCancel: () => void
}

/** Milliseconds. A dialog that goes at once would only be a flash, and what draws it takes time from the transfer. */
const delay = 500

/** Blocks the page while files are transferred: a session transfers one at a time. */
export function TransferDialog({ transfer, onCancel }: TransferDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  const isLong = useTimeout(delay)
  if (!isLong) return null
  const { kind, name, index, count, progress, isWaiting, isComparing } = transfer
  const percent = progress?.total ? Math.min(100, (progress.done / progress.total) * 100) : undefined
  return (
    // It does not fade in: the whole page would be drawn sixty times a second.
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="xs" transitionDuration={0}>
      <DialogTitle id={titleId}>
        {translate(kind === 'download' ? 'app.files.downloading' : 'app.files.uploading')}
      </DialogTitle>
      <DialogContent>
        <Typography sx={{ overflowWrap: 'anywhere', marginBottom: 1 }}>
          {name ?? translate('app.files.looking')}
        </Typography>
        {count > 1 && name ? (
          <Typography variant="body2" color="textSecondary">
            {translate('app.files.file_of', { index, count })}
          </Typography>
        ) : null}
        <LinearProgress
          variant={percent === undefined ? 'indeterminate' : 'determinate'}
          value={percent}
          aria-label={name ?? translate('app.files.looking')}
          // No animation: sixty frames a second would slow the transfer, and its numbers change only five times.
          sx={{ marginBlock: 1, '& .MuiLinearProgress-bar': { transition: 'none' } }}
        />
        <ProgressText progress={progress} />
        {isComparing ? (
          <Typography variant="body2" role="status">
            {translate('app.files.comparing')}
          </Typography>
        ) : null}
        {isWaiting ? (
          <Typography variant="body2" color="warning" role="status">
            {translate('app.terminal.lost')}
          </Typography>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={onCancel} autoFocus>
          {translate('app.action.cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Bytes, percent, speed and time left; two lines of room from the start, so that nothing moves. */
function ProgressText({ progress }: { progress: TransferProgress | undefined }) {
  const translate = useTranslate()
  const locale = useLocale()
  const { done = 0, total = 0, speed, left } = progress ?? {}
  const amount = translate('app.files.amount', {
    done: formatBytes(done, locale),
    total: formatBytes(total, locale),
    percent: formatPercent(total ? Math.floor((done / total) * 100) : 100, locale),
  })
  const pace = speed === undefined ? undefined : formatSpeeds([speed], locale)[0]
  const rest = left === undefined ? undefined : formatDuration(Math.ceil(left), translate)
  return (
    <Typography variant="body2" color="textSecondary" sx={{ minHeight: 40, fontVariantNumeric: 'tabular-nums' }}>
      {progress ? amount : ' '}
      <br />
      {pace}
      {pace && rest ? ` · ${translate('app.files.left', { time: rest })}` : null}
    </Typography>
  )
}

interface UploadDialogProps {
  plan: UploadPlan
  onAnswer: (answer: UploadAnswer) => void
}

/** Asks once for the whole batch: what would be overwritten, and what has to be left out. */
function UploadDialog({ plan, onAnswer }: UploadDialogProps) {
  const translate = useTranslate()
  const titleId = useId()
  const { uploads, missingFolders, leftOut, blocked } = plan
  const existing = uploads.filter(({ exists }) => exists).map(({ name }) => name)
  const fresh = uploads.length - existing.length
  const title = existing.length
    ? translate('app.files.overwrite_title', { smart_count: existing.length })
    : translate('app.files.left_out_title')
  return (
    <Dialog
      open
      role="alertdialog"
      aria-labelledby={titleId}
      maxWidth="xs"
      fullWidth
      onClose={() => onAnswer('cancel')}
    >
      <DialogTitle id={titleId}>{title}</DialogTitle>
      <DialogContent>
        {existing.length ? <Names label={title} names={existing} /> : null}
        {missingFolders.length ? (
          <>
            <Typography>{translate('app.files.missing_folders', { smart_count: leftOut })}</Typography>
            <Names label={translate('app.files.missing_folders', { smart_count: leftOut })} names={missingFolders} />
          </>
        ) : null}
        {blocked.length ? (
          <>
            <Typography>{translate('app.files.blocked_by_folder')}</Typography>
            <Names label={translate('app.files.blocked_by_folder')} names={blocked} />
          </>
        ) : null}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => onAnswer('cancel')} autoFocus>
          {translate(uploads.length ? 'app.action.cancel' : 'app.action.close')}
        </Button>
        {existing.length && fresh ? (
          <Button onClick={() => onAnswer('skip')}>
            {translate('app.files.skip', { smart_count: existing.length })}
          </Button>
        ) : null}
        {existing.length ? (
          <Button onClick={() => onAnswer('overwrite')} variant="contained" color="error">
            {translate('app.files.overwrite', { smart_count: existing.length })}
          </Button>
        ) : null}
        {!existing.length && uploads.length ? (
          <Button onClick={() => onAnswer('overwrite')} variant="contained">
            {translate('app.files.upload_rest', { smart_count: uploads.length })}
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  )
}

const namesShown = 5

function Names({ label, names }: { label: string; names: readonly string[] }) {
  const more = names.length - namesShown
  return (
    <ul style={{ margin: '4px 0 12px', paddingLeft: 20, overflowWrap: 'anywhere' }}>
      {names.slice(0, namesShown).map((name) => (
        <li key={name}>{name}</li>
      ))}
      {more > 0 ? (
        <li>
          <MoreNames label={label} names={() => names.map((name) => ({ id: name, name }))} count={more} />
        </li>
      ) : null}
    </ul>
  )
}

interface UploadFailuresProps {
  failed: readonly FailedUpload[]
  onRetry: () => void
  onClose: () => void
}

/** Which files did not get there, and why. */
function UploadFailures({ failed, onRetry, onClose }: UploadFailuresProps) {
  const translate = useTranslate()
  return (
    <ActionDialog title={translate('app.files.failed_title', { smart_count: failed.length })} onClose={onClose}>
      <DialogContent>
        <ul style={{ margin: 0, paddingLeft: 20, overflowWrap: 'anywhere' }}>
          {failed.map(({ upload, message, isPartial }) => (
            <li key={upload.target}>
              {upload.name}
              <Typography variant="body2" color="error">
                {message}
                {isPartial ? ` ${translate('app.files.partial')}` : null}
              </Typography>
            </li>
          ))}
        </ul>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
        <Button onClick={onRetry} variant="contained">
          {translate('app.list.retry')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

interface MemoryDialogProps {
  name: string
  /** Bytes. */
  size: number
  onAnswer: (agrees: boolean) => void
}

/** Asks before a large file is gathered in memory, where the browser offers nothing better. */
function MemoryDialog({ name, size, onAnswer }: MemoryDialogProps) {
  const translate = useTranslate()
  const locale = useLocale()
  return (
    <ActionDialog title={translate('app.files.memory_title', { name })} onClose={() => onAnswer(false)} width={480}>
      <DialogContent>{translate('app.files.memory_text', { size: formatBytes(size, locale) })}</DialogContent>
      <DialogActions>
        <Button onClick={() => onAnswer(false)} autoFocus>
          {translate('app.action.cancel')}
        </Button>
        <Button onClick={() => onAnswer(true)} variant="contained" color="warning">
          {translate('app.files.download')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}
