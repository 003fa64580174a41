import { styled } from '@mui/material/styles'
import { useRecordContext } from 'react-admin'
import { type ServiceHealth, serviceHealth, serviceMetrics } from '../charts/serviceHealth.ts'
import { formatMetric, formatPercentFloor } from '../format/formatMetric.ts'
import { type Language, useLanguage } from '../format/useLanguage.ts'
import { useServiceOverview } from '../hooks/useServiceOverview.ts'

/** How a service is now, as a dot and a word, with its share of good checks and its latency. */
export default function ServiceStatus() {
  const record = useRecordContext()
  const words = useLanguage()
  const { data } = useServiceOverview(({ services }) => {
    const standing = services?.[String(record?.id)]
    // One text, so that a row is drawn anew only when its own words change.
    return standing ? `${serviceHealth(standing)} ${figuresText(serviceMetrics(standing), words)}` : 'unchecked '
  })
  if (data === undefined) return null
  const health = data.slice(0, data.indexOf(' ')) as ServiceHealth
  return (
    <Standing data-health={health}>
      {words.translate(`app.charts.health.${health}`)} <small>{data.slice(data.indexOf(' ') + 1)}</small>
    </Standing>
  )
}

function figuresText({ percent, ms }: ReturnType<typeof serviceMetrics>, words: Language): string {
  const figures = [
    percent === undefined ? undefined : formatPercentFloor(percent, words.locale),
    ms === undefined ? undefined : formatMetric(ms, 'ms', words),
  ]
  return figures.filter((figure) => figure !== undefined).join(' · ')
}

const Standing = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
  '&::before': { content: '""', width: 8, height: 8, borderRadius: 4, background: theme.vars.palette.control },
  '&[data-health=up]::before': { background: theme.vars.palette.success.main },
  '&[data-health=partly]::before': { background: theme.vars.palette.warning.main },
  '&[data-health=down]::before': { background: theme.vars.palette.error.main },
  // A card on a phone is narrow.
  [theme.breakpoints.down('md')]: { flexWrap: 'wrap', rowGap: 0 },
  '& small': { fontSize: 12, color: theme.vars.palette.text.secondary },
}))
