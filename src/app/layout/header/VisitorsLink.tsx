import IconButton from '@mui/material/IconButton'
import { useTranslate } from 'react-admin'
import { PublicIcon } from '../../../components/icons.tsx'
import { useSetting } from '../../../components/useSetting.ts'

/**
 * Leads to the page for visitors, at `/`. Nezha servers have one, also behind a gateway; on the embedded server `/`
 * leads back here.
 */
export function VisitorsLink() {
  const translate = useTranslate()
  const setting = useSetting()
  if (!setting || setting.wheelhouse) return null
  const label = translate('app.shell.visitors')
  return (
    <IconButton component="a" href="/" color="inherit" aria-label={label} title={label}>
      <PublicIcon />
    </IconButton>
  )
}
