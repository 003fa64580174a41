import Alert from '@mui/material/Alert'
import { useTranslate } from 'react-admin'

/** What custom code in the console means, and how to come back from code that breaks it. */
export function CodeNotice({ code }: { code: string }) {
  const translate = useTranslate()
  return (
    <Alert severity={code.trim() === '' ? 'info' : 'warning'} sx={{ marginTop: 2 }}>
      {translate(code.trim() === '' ? 'app.site.code_gone' : 'app.site.code_warning')}
    </Alert>
  )
}
