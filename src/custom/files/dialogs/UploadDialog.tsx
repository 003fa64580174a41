import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useTranslate } from 'react-admin'
import { MoreNames } from '../../../engine/parts/MoreNames.tsx'
import type { UploadPlan } from '../transfer/uploadPlan.ts'
import type { UploadAnswer } from '../transfer/useTransfers.ts'

interface UploadDialogProps {
  plan: UploadPlan
  onAnswer: (answer: UploadAnswer) => void
}

/** Asks once for the whole batch: what would be overwritten, and what has to be left out. */
export function UploadDialog({ plan, onAnswer }: UploadDialogProps) {
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
