import LinearProgress from '@mui/material/LinearProgress'
import Typography from '@mui/material/Typography'
import { useTranslate } from 'react-admin'

/** How far a piece of work has come, in figures. */
export function Progress({ done, total }: { done: number; total: number }) {
  const translate = useTranslate()
  const label = translate('app.server_config.progress', { done, total })
  return (
    <>
      <Typography gutterBottom>{label}</Typography>
      <LinearProgress variant="determinate" value={total ? (done / total) * 100 : 0} aria-label={label} />
    </>
  )
}
