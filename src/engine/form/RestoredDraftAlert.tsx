import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useTranslate } from 'react-admin'

/** Says that the form's values come from a restored draft, with a button to discard it. */
export function RestoredDraftAlert({ onDiscard }: { onDiscard: () => void }) {
  const translate = useTranslate()
  return (
    <Alert
      severity="info"
      variant="outlined"
      sx={{ marginBottom: 2 }}
      action={<Button onClick={onDiscard}>{translate('app.form.discard')}</Button>}
    >
      {translate('app.form.restored')}
    </Alert>
  )
}
