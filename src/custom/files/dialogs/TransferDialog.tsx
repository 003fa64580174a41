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
import type { TransferProgress } from '../transfer/transferProgress.ts'
import type { Transfer } from '../transfer/useTransferDialog.ts'

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
