import Close from '@mui/icons-material/Close'
import IconButton from '@mui/material/IconButton'
import LinearProgress from '@mui/material/LinearProgress'
import { styled } from '@mui/material/styles'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { FileTransfer } from '../../../schemas/inspect/fileTransfers.ts'
import { isOpenTransfer } from '../manage/useServerTransfers.ts'

interface ServerTransfersProps {
  transfers: readonly FileTransfer[]
  onCancel: (transfer: FileTransfer) => void
}

/** What the server transfers, below the files: how far it is, and how it went. */
export default function ServerTransfers({ transfers, onCancel }: ServerTransfersProps) {
  const { translate } = useLanguage()
  return (
    <TransferList aria-label={translate('app.files.transfers.title')}>
      {transfers.map((transfer) => (
        <TransferLine key={transfer.id} transfer={transfer} onCancel={() => onCancel(transfer)} />
      ))}
    </TransferList>
  )
}

function TransferLine({ transfer, onCancel }: { transfer: FileTransfer; onCancel: () => void }) {
  const { locale, translate } = useLanguage()
  const { state, name, count, bytes, total_bytes: total, files, left_out: leftOut, notes, verified, error } = transfer
  const isOpen = isOpenTransfer(transfer)
  const what = `${name.slice(name.lastIndexOf('/') + 1)}${count > 1 ? ` +${count - 1}` : ''}`
  const to = transfer.kind === 'send' ? `${transfer.to_server_name}:${transfer.to}` : translate('app.files.download')
  const percent = total ? Math.min(100, (bytes / total) * 100) : undefined
  const facts = [
    translate(`app.files.transfers.states.${state}`),
    ...(state === 'waiting' ? [] : [translate('app.files.manage.files', { smart_count: files })]),
    ...(state === 'waiting' ? [] : [formatBytes(bytes, locale)]),
    ...(state === 'done' && verified ? [translate(`app.files.transfers.verified.${verified}`)] : []),
  ]
  const label = translate(isOpen ? 'app.files.transfers.cancel' : 'app.files.transfers.remove', { name: what })
  return (
    <li>
      <div className="head">
        <span title={name}>
          <b>{what}</b> {transfer.server_name} → {to}
        </span>
        <IconButton size="small" color="inherit" aria-label={label} title={label} onClick={onCancel}>
          <Close fontSize="small" />
        </IconButton>
      </div>
      {state === 'running' ? (
        <LinearProgress
          variant={percent === undefined ? 'indeterminate' : 'determinate'}
          value={percent}
          aria-label={what}
          sx={{ '& .MuiLinearProgress-bar': { transition: 'none' } }}
        />
      ) : null}
      <div role="status" className="facts">
        {facts.join(' · ')}
      </div>
      {error ? <div className="problem">{error}</div> : null}
      {leftOut > 0 ? (
        <details>
          <summary className="problem">{translate('app.files.transfers.left_out', { smart_count: leftOut })}</summary>
          <ul>
            {notes.map(({ path, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a path may be left out twice, and the list only grows
              <li key={at}>
                {path}: {reason}
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </li>
  )
}

/** The lines of transfers below the files. */
export const TransferList = styled('ul')(({ theme }) => ({
  flex: 'none',
  maxHeight: '40%',
  overflowY: 'auto',
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 13,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > li': { padding: theme.spacing(0.75, 1, 0.75, 1.5), borderBottom: `1px solid ${theme.vars.palette.divider}` },
  '& > li:last-of-type': { borderBottom: 0 },
  '& .head': { display: 'flex', alignItems: 'center' },
  '& .head > span': { flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& .facts': { color: theme.vars.palette.text.secondary, fontVariantNumeric: 'tabular-nums' },
  '& .problem': { color: theme.vars.palette.error.main, overflowWrap: 'anywhere' },
  '& summary': { cursor: 'pointer' },
  '& details > ul': { margin: 0, paddingInlineStart: theme.spacing(2), overflowWrap: 'anywhere' },
}))
