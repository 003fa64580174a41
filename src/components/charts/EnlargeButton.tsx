import OpenInFull from '@mui/icons-material/OpenInFull'
import IconButton from '@mui/material/IconButton'
import { useTranslate } from 'react-admin'

/** Shows a chart in a dialog that fills the window. @param title of the chart */
export function EnlargeButton({ title, onClick }: { title: string; onClick: () => void }) {
  const translate = useTranslate()
  const label = translate('app.charts.enlarge', { name: title })
  return (
    <IconButton size="small" aria-haspopup="dialog" aria-label={label} title={label} onClick={onClick}>
      <OpenInFull sx={{ fontSize: 16 }} />
    </IconButton>
  )
}
