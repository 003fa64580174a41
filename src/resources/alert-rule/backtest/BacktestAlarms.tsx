import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { Suspense, useState } from 'react'
import { formatDuration, formatPercent } from '../../../components/format/format.ts'
import { formatChartTime } from '../../../components/format/formatTime.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { BacktestAlarm } from '../../../domain/alerts/backtest.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'

interface BacktestAlarmsProps {
  alarms: readonly BacktestAlarm[]
  /** When the test ended, ms since 1970. */
  until: number
  nameOf: (id: number) => string
}

const AlarmChart = lazyPart(() => import('./AlarmChart.tsx'))

/** Rows at first. */
const few = 5

/** The alarms that a rule would have raised, the latest first, each with a chart. */
export function BacktestAlarms({ alarms, until, nameOf }: BacktestAlarmsProps) {
  const { translate } = useLanguage()
  const [isWhole, setWhole] = useState(false)
  const latestFirst = alarms.toReversed()
  return (
    <>
      <List>
        {latestFirst.slice(0, isWhole ? undefined : few).map((alarm) => (
          <li key={`${alarm.server_id} ${alarm.started_at}`}>
            <AlarmRow alarm={alarm} until={until} name={nameOf(alarm.server_id)} />
          </li>
        ))}
      </List>
      {!isWhole && alarms.length > few ? (
        <Button size="small" onClick={() => setWhole(true)}>
          {translate('app.backtest.show_all', { count: alarms.length })}
        </Button>
      ) : null}
    </>
  )
}

function AlarmRow({ alarm, until, name }: { alarm: BacktestAlarm; until: number; name: string }) {
  const { translate, locale } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const { started_at: from, ended_at, share } = alarm
  const duration = formatDuration(((ended_at ?? until) - from) / 1000, translate)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{name}</strong>
        <span>{formatChartTime(from, locale)}</span>
        <span>{ended_at === undefined ? translate('app.backtest.lasts', { duration }) : duration}</span>
        <span>{translate('app.backtest.share', { share: formatPercent(share * 100, locale) })}</span>
      </summary>
      <Suspense>{isOpen ? <AlarmChart alarm={alarm} until={until} /> : null}</Suspense>
    </details>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  '& summary': {
    padding: theme.spacing(0.75, 0),
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    fontVariantNumeric: 'tabular-nums',
  },
  '& summary > *': { display: 'inline-block', marginRight: theme.spacing(1.5) },
  '& summary > span': { color: theme.vars.palette.text.secondary },
}))
