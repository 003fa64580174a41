import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useGetList, useRecordContext } from 'react-admin'
import { formatDuration, formatNumber, formatPercent } from '../../../components/format/format.ts'
import { formatChartTime } from '../../../components/format/formatTime.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { alertRuleProblem } from '../../../domain/alerts/alertRuleProblem.ts'
import { type BacktestAlarm, backtestProblem } from '../../../domain/alerts/backtest.ts'
import { type AlertRulePart, coveredBy } from '../../../domain/alerts/compileAlert.ts'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import { everyRowByName } from '../../../records/wholeList.ts'
import type { Rule } from '../alertRule.ts'
import { maxAsked, type RuleBacktest, useBacktest } from './useBacktest.ts'

interface RuleBacktestPanelProps {
  /** As they are written, complete or not. */
  rules: readonly Rule[]
}

/** What the rules of a form would have done in the last 7 days, and where they are true now. */
export default function RuleBacktestPanel({ rules }: RuleBacktestPanelProps) {
  const { translate } = useLanguage()
  const titleId = useId()
  const problem = rules.some((rule) => alertRuleProblem(rule)) ? 'incomplete' : backtestProblem(rules)
  if (rules.length === 0) return null
  return (
    <Frame aria-labelledby={titleId}>
      <strong id={titleId}>{translate('app.backtest.title')}</strong>
      {problem ? <p>{translate(`app.backtest.${problem}`)}</p> : <Tested rules={rules as readonly AlertRulePart[]} />}
    </Frame>
  )
}

function Tested({ rules }: { rules: readonly AlertRulePart[] }) {
  const language = useLanguage()
  const { translate } = language
  const id = useRecordContext()?.id
  const { data: servers = [] } = useGetList<ServerRow>('server', everyRowByName)
  const { data, error, isTesting, start, isAbsent, refetch } = useBacktest({
    id: id === undefined ? undefined : Number(id),
    rules,
    servers,
  })
  if (isAbsent) return <p>{translate('app.backtest.no_history')}</p>
  if (start) {
    const covered = coveredBy(
      rules,
      servers.map((server) => Number(server.id)),
    )
    const count = Math.min(covered.length, maxAsked.servers)
    return (
      <>
        <p>{translate('app.backtest.start_hint', { smart_count: count })}</p>
        <div>
          <Button variant="outlined" size="small" disabled={count === 0} onClick={start}>
            {translate('app.backtest.start')}
          </Button>
        </div>
      </>
    )
  }
  if (error && !isTesting)
    return (
      <Alert
        severity="error"
        action={
          <Button color="inherit" size="small" onClick={() => void refetch()}>
            {translate('app.list.retry')}
          </Button>
        }
      >
        {translate('app.backtest.failed', { error: translate(error.message) })}
      </Alert>
    )
  const nameOf = (server: number) => servers.find((row) => Number(row.id) === server)?.name || `#${server}`
  return (
    <div aria-busy={isTesting} data-stale={isTesting && data !== undefined}>
      <div role="status">{data ? <Summary result={data} nameOf={nameOf} /> : translate('app.backtest.testing')}</div>
      {data && data.alarms.length > 0 ? (
        <BacktestAlarms alarms={data.alarms} until={data.until ?? Date.now()} nameOf={nameOf} />
      ) : null}
      {data ? <Basis result={data} /> : null}
    </div>
  )
}

/** Names before the others are only counted. */
const maxNames = 5

/** Where the rules are true now, and how many alarms they would have raised. */
function Summary({ result, nameOf }: { result: RuleBacktest; nameOf: (id: number) => string }) {
  const { translate } = useLanguage()
  const names = result.now.slice(0, maxNames).map(nameOf).join(', ')
  const more = result.now.length - maxNames
  const where = more > 0 ? translate('app.backtest.and_more', { names, count: more }) : names
  const sentences: ReactNode[] = [
    translate(result.now.length > 0 ? 'app.backtest.now' : 'app.backtest.now_nowhere', { names: where }),
  ]
  if (result.samples === 0) sentences.push(translate('app.backtest.nothing_kept'))
  else if (result.alarms_total === 0) sentences.push(translate('app.backtest.raised_none'))
  else sentences.push(translate('app.backtest.raised', { smart_count: result.alarms_total }))
  return (
    <p>
      {sentences[0]}
      <br />
      <b>{sentences[1]}</b>
    </p>
  )
}

const day = 86_400
/** Days that a test looks back. */
const days = 7

/** What the result is based on: samples, servers, time and resolution. */
function Basis({ result }: { result: RuleBacktest }) {
  const { translate, locale } = useLanguage()
  const { from, until, step, covered, tested, samples, failed, alarms, alarms_total } = result
  if (samples === 0 || from === undefined || until === undefined) return null
  const isShort = (until - from) / 1000 < (days - 0.5) * day
  const isMixed = step < 3_600 && !isShort
  const sentences = [
    translate('app.backtest.outside', {
      share: formatPercent((failed / samples) * 100, locale, 1),
      samples: formatNumber(samples, locale),
    }),
    tested < covered && translate('app.backtest.some_servers', { tested, covered }),
    isShort && translate('app.backtest.since', { moment: formatChartTime(from, locale) }),
    alarms_total > alarms.length && translate('app.backtest.latest', { count: alarms.length }),
    translate(isMixed ? 'app.backtest.resolution_mixed' : 'app.backtest.resolution', {
      step: formatDuration(step, translate),
    }),
  ]
  return <small>{sentences.filter(Boolean).join(' ')}</small>
}

const Frame = styled('section')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  marginTop: theme.spacing(1.5),
  padding: theme.spacing(1.25, 1.5),
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.sunken,
  fontSize: 13,
  '& p': { margin: 0 },
  '& [data-stale=true]': { opacity: 0.6 },
  '& small': { display: 'block', marginTop: theme.spacing(1), color: theme.vars.palette.text.secondary },
}))

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
function BacktestAlarms({ alarms, until, nameOf }: BacktestAlarmsProps) {
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
