import CircularProgress from '@mui/material/CircularProgress'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useTimeout, useTranslate } from 'react-admin'

/** Says that a page is loading, after a second: most pages are there before it is over. */
export function Loading() {
  const translate = useTranslate()
  const isLate = useTimeout(1000)
  if (!isLate) return <div aria-busy="true" />
  return (
    <Stack aria-busy spacing={2} sx={{ alignItems: 'center', padding: 4, color: 'text.secondary' }}>
      <CircularProgress />
      <Typography variant="h2" component="p">
        {translate('ra.page.loading')}
      </Typography>
      <Typography variant="body2">{translate('ra.message.loading')}</Typography>
    </Stack>
  )
}
