import { styled } from '@mui/material/styles'
import { useRecordContext } from 'react-admin'
import { formatPercentFloor } from '../../components/format/format.ts'
import { formatMetric } from '../../components/format/formatMetric.ts'
import { type Language, useLanguage } from '../../components/format/useLanguage.ts'
import type { Row } from '../../records/queryRows.ts'
import type { service } from '../../schemas/service.ts'
import { LazySilence } from '../mute/LazySilence.tsx'
import { type ServiceHealth, serviceHealth, serviceMetrics } from './serviceHealth.ts'
import { useServiceOverview } from './useServiceOverview.ts'

/** The health of a service as a dot and a word, with its availability and its latency. */
export default function ServiceStatus() {
  const record = useRecordContext<Row<typeof service>>()
  const language = useLanguage()
  const { data } = useServiceOverview(({ services }) => {
    const service = services?.[String(record?.id)]
    // Selected as one text, so that a row renders only when its own text changes.
    return service ? `${serviceHealth(service)} ${metricsText(serviceMetrics(service), language)}` : 'unchecked '
  })
  if (data === undefined) return null
  const health = data.slice(0, data.indexOf(' ')) as ServiceHealth
  return (
    <HealthText data-health={health}>
      {language.translate(`app.charts.health.${health}`)} <small>{data.slice(data.indexOf(' ') + 1)}</small>
      <LazySilence kind="service" />
    </HealthText>
  )
}

function metricsText({ percent, ms }: ReturnType<typeof serviceMetrics>, language: Language): string {
  const texts = [
    percent === undefined ? undefined : formatPercentFloor(percent, language.locale),
    ms === undefined ? undefined : formatMetric(ms, 'ms', language),
  ]
  return texts.filter((text) => text !== undefined).join(' · ')
}

const HealthText = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
  '&::before': { content: '""', width: 8, height: 8, borderRadius: 4, background: theme.vars.palette.control },
  '&[data-health=up]::before': { background: theme.vars.palette.success.main },
  '&[data-health=partly]::before': { background: theme.vars.palette.warning.main },
  '&[data-health=down]::before': { background: theme.vars.palette.error.main },
  // Cards on phones are narrow.
  [theme.breakpoints.down('md')]: { flexWrap: 'wrap', rowGap: 0 },
  '& small': { fontSize: 12, color: theme.vars.palette.text.secondary },
}))
