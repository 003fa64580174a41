import Close from '@mui/icons-material/Close'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import { type ChangeEvent, useRef } from 'react'
import { useNotify } from 'react-admin'
import { formatBytes } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { shownPath } from '../transfer/remotePath.ts'
import type { ResumableFiles } from '../transfer/resumableFiles.ts'
import type { StoredTransfer } from '../transfer/storedTransfers.ts'
import { chosenAgain, readAgain, useInterrupted } from '../transfer/useInterrupted.ts'
import type { useTransfers } from '../transfer/useTransfers.ts'
import { TransferList } from './ServerTransfers.tsx'

interface InterruptedTransfersProps {
  serverId: number
  transfers: Pick<ReturnType<typeof useTransfers>, 'resumeDownload' | 'resumeUploads'>
  /** Left out where the machine cannot say what has arrived. */
  resumable: ResumableFiles | undefined
}

/** What was interrupted by leaving the page, and how it goes on. */
export default function InterruptedTransfers({ serverId, transfers, resumable }: InterruptedTransfersProps) {
  const { locale, translate } = useLanguage()
  const notify = useNotify()
  const { interrupted, discard } = useInterrupted(serverId, resumable)
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
  if (!interrupted.length) return null
  return (
    <TransferList aria-label={translate('app.files.transfers.states.interrupted')}>
      {interrupted.map((one) => {
        const { kind, path, name, size, upload, handle, privateName } = one
        const remove = translate('app.files.transfers.remove', { name })
        const goesOn = resumable && (kind === 'upload' ? upload : privateName)
        const act = kind === 'upload' && !handle ? 'app.files.transfers.choose_again' : 'app.files.transfers.go_on'
        return (
          <li key={`${kind} ${path}`}>
            <div className="head">
              <span title={shownPath(path)}>
                <b>{name}</b> {translate(kind === 'upload' ? 'app.files.upload' : 'app.files.download')}
              </span>
              <Button size="small" onClick={() => void goOn(one)} aria-label={`${translate(act)}: ${name}`}>
                {translate(act)}
              </Button>
              <IconButton
                size="small"
                color="inherit"
                aria-label={remove}
                title={remove}
                onClick={() => void discard(one)}
              >
                <Close fontSize="small" />
              </IconButton>
            </div>
            <div className="facts">
              {[
                translate('app.files.transfers.states.interrupted'),
                formatBytes(size, locale),
                ...(goesOn ? [] : [translate('app.files.transfers.anew')]),
              ].join(' · ')}
            </div>
          </li>
        )
      })}
      <input ref={files} type="file" multiple hidden data-upload="again" onChange={pick} />
    </TransferList>
  )
}
