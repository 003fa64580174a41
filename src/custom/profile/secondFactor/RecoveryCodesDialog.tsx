import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import FormControlLabel from '@mui/material/FormControlLabel'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { ActionDialog } from '../../../components/ActionDialog.tsx'
import { CopyButton } from '../../../components/CopyButton.tsx'

/** Shows recovery codes, once. It closes when the person says that they are saved, and by nothing else. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const translate = useTranslate()
  const [isSaved, setSaved] = useState(false)
  const text = codes.join('\n')
  return (
    <ActionDialog title={translate('app.second_factor.codes')} width={520} onClose={() => {}}>
      <DialogContent dividers>
        <Alert severity="warning">{translate('app.second_factor.codes_once')}</Alert>
        <Codes aria-label={translate('app.second_factor.codes')}>
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </Codes>
        <CopyButton text={text} label={translate('app.second_factor.copy_codes')} />{' '}
        <Button
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="recovery-codes.txt"
          variant="outlined"
          color="inherit"
        >
          {translate('app.second_factor.download_codes')}
        </Button>
        <div>
          <FormControlLabel
            control={<Checkbox checked={isSaved} onChange={({ target }) => setSaved(target.checked)} />}
            label={translate('app.second_factor.codes_saved')}
          />
        </div>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" disabled={!isSaved} onClick={onClose}>
          {translate('app.action.close')}
        </Button>
      </DialogActions>
    </ActionDialog>
  )
}

const Codes = styled('ul')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(190px, 1fr))',
  gap: theme.spacing(0.5, 2),
  margin: theme.spacing(2, 0),
  padding: 0,
  listStyle: 'none',
  fontFamily: theme.typography.fontFamilyMono,
}))
