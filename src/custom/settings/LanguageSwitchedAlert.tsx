import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useLocales, useTranslate } from 'react-admin'

interface LanguageSwitchedAlertProps {
  /** The previous language of the interface. */
  from: string
  to: string
  onBack: () => void
  onClose: () => void
}

/** Says that the interface now uses the site's language, with a button to switch back. */
export function LanguageSwitchedAlert({ from, to, onBack, onClose }: LanguageSwitchedAlertProps) {
  const translate = useTranslate()
  const languages = useLocales()
  const nameOf = (code: string) => languages.find(({ locale }) => locale === code)?.name ?? code
  return (
    <Alert
      severity="info"
      sx={{ marginBottom: 2 }}
      // It is above a long form, and the Save button is at its end.
      ref={(alert: HTMLElement | null) => alert?.scrollIntoView?.({ block: 'center' })}
      action={
        <>
          <Button color="inherit" onClick={onBack}>
            {translate('app.site.speak_again', { language: nameOf(from) })}
          </Button>
          <Button color="inherit" onClick={onClose}>
            {translate('app.toast.dismiss')}
          </Button>
        </>
      }
    >
      {translate('app.site.language_switched', { language: nameOf(to) })}
    </Alert>
  )
}
