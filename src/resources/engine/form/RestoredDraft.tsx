import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useTranslate } from 'react-admin'

/** Says that what stands in the form was typed before, and lets it go. */
export function RestoredDraft({ onDiscard }: { onDiscard: () => void }) {
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
