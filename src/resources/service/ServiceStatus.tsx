import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { useRecordContext } from 'react-admin'
import { formatMetric, formatPercentFloor, type Language } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { useChoiceText } from '../../engine/kinds/cells.tsx'
import type { Row, RowContext } from '../../records/queryRows.ts'
import { checkKindNames } from '../../schemas/checks/checks.ts'
import { monitorTypes, type service } from '../../schemas/service.ts'
import { LazySilence } from '../mute/LazySilence.tsx'
import {
  type ServiceHealth,
  type ServiceOverview,
  serviceHealth,
  serviceMetrics,
  useServiceOverview,
} from './serviceHealth.ts'

/** The text keys of the states of a service. */
export const serviceStateWords: Readonly<Record<ServiceHealth, string>> = {
  up: 'app.charts.health.up',
  degraded: 'app.charts.health.degraded',
  partly: 'app.charts.health.partly',
  down: 'app.charts.health.down',
  paused: 'app.charts.health.paused',
  not_permitted: 'app.charts.health.not_permitted',
  unchecked: 'app.charts.health.unchecked',
}

/** The current state of a service. @param live undefined where it is not known */
export function serviceStateOf({ id }: Row<typeof service>, live: ServiceOverview | undefined): ServiceHealth {
  const found = live?.services?.[String(id)]
  return found ? serviceHealth(found) : 'unchecked'
}

const order: readonly ServiceHealth[] = ['down', 'degraded', 'partly', 'not_permitted', 'unchecked', 'up', 'paused']

/** Ascending: services that are down first. */
export const serviceStateOrder = (row: Row<typeof service>, { live }: RowContext<ServiceOverview>): number =>
  order.indexOf(serviceStateOf(row, live))

/** The health of a service as a dot and a word, and until when it is muted. */
export const ServiceState = () => <State />

/** The same, with availability and latency: for a service that belongs to something else. */
export default function ServiceStatus() {
  const record = useRecordContext<Row<typeof service>>()
  const language = useLanguage()
  const { data: metrics } = useServiceOverview(({ services }) => {
    const item = services?.[String(record?.id)]
    // Selected as one text, so that a row renders only when its own text changes.
    return item ? metricsText(serviceMetrics(item), language) : ''
  })
  return (
    <State>
      {' '}
      <small>{metrics}</small>
    </State>
  )
}

function State({ children }: { children?: ReactNode }) {
  const record = useRecordContext<Row<typeof service>>()
  const { translate } = useLanguage()
  const { data: health } = useServiceOverview(({ services }) => {
    const item = services?.[String(record?.id)]
    return item ? serviceHealth(item) : 'unchecked'
  })
  if (health === undefined) return null
  return (
    <HealthText data-health={health}>
      {translate(serviceStateWords[health])}
      {children}
      <LazySilence kind="service" />
    </HealthText>
  )
}

/** The kind of its check, or else its type: how a service is checked. */
export function ServiceType() {
  const record = useRecordContext<Row<typeof service>>()
  const textOf = useChoiceText('service')
  const { translate } = useLanguage()
  const kind = checkKindNames.find((name) => name === record?.check?.kind)
  if (kind) return translate(`app.checks.kinds.${kind}`)
  return textOf('type', monitorTypes[record?.type as keyof typeof monitorTypes], record?.type)
}

function metricsText({ percent, ms }: ReturnType<typeof serviceMetrics>, language: Language): string {
  const texts = [
    percent === undefined ? undefined : formatPercentFloor(percent, language.locale),
    ms === undefined ? undefined : formatMetric(ms, 'ms', language),
  ]
  return texts.filter((text) => text !== undefined).join(' · ')
}

const HealthText = styled('span')(({ theme }) => ({
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  paddingInlineStart: 14,
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
  // Beside the first line, where the rest takes further ones.
  '&::before': {
    content: '""',
    position: 'absolute',
    insetInlineStart: 0,
    top: 'calc(0.5lh - 4px)',
    width: 8,
    height: 8,
    borderRadius: 4,
    background: theme.vars.palette.control,
  },
  // Cards on phones are narrow.
  [theme.breakpoints.down('md')]: { flexWrap: 'wrap', rowGap: 0 },
  '& small': { fontSize: 12, color: theme.vars.palette.text.secondary },
  '&[data-health=up]::before': { background: theme.vars.palette.success.main },
  '&:is([data-health=partly], [data-health=degraded])::before': { background: theme.vars.palette.warning.main },
  '&[data-health=down]::before': { background: theme.vars.palette.error.main },
  '[data-lost] &::before': { background: 'none', boxShadow: `inset 0 0 0 2px ${theme.vars.palette.control}` },
}))
