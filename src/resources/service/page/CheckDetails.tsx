import NativeSelect from '@mui/material/NativeSelect'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Fragment, use, useState } from 'react'
import { type RaRecord, useDataProvider, useTranslate } from 'react-admin'
import { ResultText } from '../../../components/cells/ResultText.tsx'
import { lineColours } from '../../../components/charts/plot/lineStyle.ts'
import { beginOfPeriod, type ChartPeriod } from '../../../components/charts/useHistory.ts'
import { formatDateTime, formatDuration, formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { EventList, Panel, PlainTable } from '../../../components/Panel.tsx'
import type { Scheme } from '../../../components/theme/tokens.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/page.tsx'
import { serverNow } from '../../../live/serverClock.ts'
import { historyEndpoints, type ServiceDetails } from '../../../schemas/endpoints/historyEndpoints.ts'
import type { CheckPhases } from '../../../schemas/endpoints/serviceHistory.ts'
import { PushAddress } from '../checks/PushAddress.tsx'
import type { ServiceHistory } from './useServiceHistory.ts'

/** What checks took in a part of a period, on the average. */
interface PhaseSlot {
  /** When it begins, in milliseconds since 1970. */
  from: number
  /** Milliseconds, as those of the parts. */
  whole: number
  phases: CheckPhases
  /** Whether there were checks in it, and one of them has failed. */
  hasFailed: boolean
}

interface DataPoint {
  ts: number
  delay: number
  status: number
  phases?: CheckPhases
}

/** Bars that fit beside each other on a phone. */
const most = 60
/** The parts of a check in their order, without the whole. */
const partNames = ['name', 'connect', 'tls', 'first_byte'] as const

/** Milliseconds since 1970, as those of the points. */
interface SlotRange {
  /** Where the first slot begins, unless the first point is later. */
  from: number
  /** Where the last one ends. */
  until: number
  /** Milliseconds: no slot is shorter, as points stand for that much. */
  shortest: number
}

/** Puts the points of a history together into slots of the same length; the oldest point is the first. */
export function phaseSlots(points: readonly DataPoint[], { from: begin, until, shortest }: SlotRange): PhaseSlot[] {
  const from = Math.max(begin, points[0]?.ts ?? begin)
  const count = Math.min(most, Math.max(1, Math.floor((until - from) / shortest)))
  const length = (until - from) / count
  const bySlot = Map.groupBy(points, ({ ts }) => Math.floor((ts - from) / length))
  return Array.from({ length: count }, (_, index) => slotOf(bySlot.get(index) ?? [], from + index * length))
}

function slotOf(points: readonly DataPoint[], from: number): PhaseSlot {
  const good = points.filter(({ phases }) => phases)
  const phases: CheckPhases = {}
  for (const name of partNames) {
    const values = good.flatMap(({ phases: one }) => one?.[name] ?? [])
    if (values.length > 0) phases[name] = mean(values)
  }
  return {
    from,
    whole: mean(good.map(({ delay }) => delay)),
    phases,
    hasFailed: points.some(({ status }) => status === 0),
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1)

interface CheckDetailsProps {
  service: RaRecord
  history: ServiceHistory
  period: ChartPeriod
}

/** What only checks of their own have: what took how long, the certificates, and what the job has said. */
export function CheckDetails({ service, history, period }: CheckDetailsProps) {
  const translate = useTranslate()
  const { data } = useServiceDetails(Number(service.id), Boolean(service.check))
  const isPush = service.check?.kind === 'push'
  return (
    <>
      <PhaseBars servers={history.data?.servers ?? []} period={period} at={history.at} />
      {data && data.chain.length > 0 ? <Chain chain={data.chain} /> : null}
      {isPush && data ? <Calls calls={data.calls} /> : null}
      {isPush && service.push_path ? (
        <Panel title={translate('app.checks.push_lines')}>
          <PushAddress address={`${window.location.origin}${service.push_path}`} />
        </Panel>
      ) : null}
    </>
  )
}

/** The certificates of each host, from its own to the authority, with the days that each has left. */
function Chain({ chain }: Pick<ServiceDetails, 'chain'>) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const now = serverNow()
  const headings = ['chain_subject', 'chain_issuer', 'chain_until', 'chain_days'].map((key) =>
    translate(`app.checks.${key}`),
  )
  const hosts = [...Map.groupBy(chain, ({ host }) => host)]
  return (
    <Panel title={translate('app.checks.chain')}>
      {hosts.map(([host, links]) => (
        <Fragment key={host}>
          {/* Redirects lead from one to the next. */}
          {hosts.length > 1 ? <Typography variant="subtitle2">{host}</Typography> : null}
          <PlainTable
            headings={headings}
            rows={links.map(({ subject, issuer, expires_at }, index) => ({
              key: index,
              cells: [
                subject,
                issuer,
                new Date(expires_at).toLocaleDateString(locale),
                String(Math.floor((Date.parse(expires_at) - now) / 86_400_000)),
              ],
            }))}
          />
        </Fragment>
      ))}
    </Panel>
  )
}

/** What a job has said, the latest first. */
function Calls({ calls }: Pick<ServiceDetails, 'calls'>) {
  const { locale, translate } = useLanguage()
  return (
    <Panel title={translate('app.checks.calls')}>
      {calls.length === 0 ? <p>{translate('app.checks.no_calls')}</p> : null}
      <EventList>
        {calls.map(({ at, event, message, ms }) => (
          <li key={`${at} ${event}`}>
            <div>
              <ResultText data-result={event === 'fail' ? 'failed' : event === 'success' ? 'succeeded' : undefined}>
                {translate(`app.checks.events.${event}`)}
              </ResultText>
              {ms === undefined ? null : <strong>{formatDuration(Math.max(1000, ms) / 1000, translate)}</strong>}
              {message ? <span>{message}</span> : null}
            </div>
            <time dateTime={at}>{formatDateTime(Date.parse(at), locale)}</time>
          </li>
        ))}
      </EventList>
    </Panel>
  )
}

const refreshMs = 15_000

/** The certificates that a service's check has seen, and the calls of its job; only where the server has them. */
function useServiceDetails(id: number, hasCheck: boolean) {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const areThere = use(AnnouncedFeaturesContext)?.has('checks') === true && hasCheck
  return useQuery({
    queryKey: ['services', 'details', id],
    queryFn: () => call(historyEndpoints.serviceDetails, { id }),
    enabled: areThere,
    refetchInterval: refreshMs,
  })
}

/** The parts of a check in their order; `rest` is what passes after the first byte. */
const parts = [...partNames, 'rest'] as const
type Part = (typeof parts)[number]

/** Milliseconds that a point of a period stands for, at most. */
const shortestSlots: Readonly<Record<ChartPeriod, number>> = {
  '1h': 60_000,
  '1d': 300_000,
  '7d': 3_600_000,
  '30d': 21_600_000,
  '365d': 86_400_000,
}

interface PhaseBarsProps {
  servers: NonNullable<ServiceHistory['data']>['servers']
  period: ChartPeriod
  /** Where the period ends, in milliseconds since 1970. */
  at: number
}

/** What took how long in the checks of a machine: a bar for each slot of the period, with the parts on each other. */
function PhaseBars({ servers, period, at }: PhaseBarsProps) {
  const { translate, locale } = useLanguage()
  const machines = servers.filter(({ stats }) => stats.data_points.some(({ phases }) => phases))
  const [chosen, setChosen] = useState<number>()
  const machine = machines.find(({ server_id }) => server_id === chosen) ?? machines[0]
  if (!machine) return null
  const range = { from: beginOfPeriod(period, at), until: at, shortest: shortestSlots[period] }
  const slots = phaseSlots(machine.stats.data_points, range)
  const most = Math.max(1, ...slots.map(({ whole }) => whole))
  const ms = (value: number) => `${formatNumber(Math.round(value * 10) / 10, locale)} ms`
  const nameOf = (part: Part) => translate(part === 'rest' ? 'app.checks.phases_rest' : `app.checks.phases.${part}`)
  return (
    <Panel title={translate('app.checks.phases_title')}>
      <Bars>
        {machines.length > 1 ? (
          <NativeSelect
            value={machine.server_id}
            input={<OutlinedInput size="small" notched={false} />}
            inputProps={{ 'aria-label': translate('app.checks.phases_from') }}
            onChange={({ target }) => setChosen(Number(target.value))}
          >
            {machines.map(({ server_id, server_name }) => (
              <option key={server_id} value={server_id}>
                {server_name || `#${server_id}`}
              </option>
            ))}
          </NativeSelect>
        ) : null}
        <ol>
          {slots.map((slot) => {
            const values = partsOf(slot)
            if (values.length === 0 && !slot.hasFailed) return <li key={slot.from} aria-hidden="true" />
            const text = [
              formatDateTime(slot.from, locale),
              ...(slot.hasFailed ? [translate('app.checks.states.down')] : []),
              ...values.map(({ part, value }) => `${nameOf(part)} ${ms(value)}`),
            ].join(' · ')
            return (
              <li key={slot.from} title={text} data-up={!slot.hasFailed}>
                <span className="visually-hidden">{text}</span>
                {values.map(({ part, value }) => (
                  <i key={part} data-part={part} style={{ height: `${(100 * value) / most}%` }} />
                ))}
              </li>
            )
          })}
        </ol>
        <footer aria-hidden="true">
          {parts.map((part) => (
            <span key={part}>
              <i data-part={part} />
              {nameOf(part)}
            </span>
          ))}
          <span>{ms(most)}</span>
        </footer>
      </Bars>
    </Panel>
  )
}

/** The parts of a slot, the last one as what is left of the whole. */
function partsOf({ phases, whole }: PhaseSlot): { part: Part; value: number }[] {
  const known = partNames.flatMap((part) => {
    const value = phases[part]
    return value === undefined ? [] : [{ part, value }]
  })
  const rest = whole - known.reduce((sum, { value }) => sum + value, 0)
  return rest > 0 ? [...known, { part: 'rest' as const, value: rest }] : known
}

/** Each part has the colour of a line of the charts. */
const coloursOf = (scheme: Scheme) =>
  Object.fromEntries(
    parts.map((part, index) => [`& [data-part=${part}]`, { background: lineColours[scheme][parts.length - index] }]),
  )

const Bars = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1),
  '& ol': { display: 'flex', alignItems: 'stretch', gap: 1, height: 96, margin: 0, padding: 0, listStyle: 'none' },
  '& li': {
    forcedColorAdjust: 'none',
    display: 'flex',
    flexDirection: 'column-reverse',
    flex: 1,
    minWidth: 2,
    maxWidth: 16,
    borderRadius: 2,
    overflow: 'hidden',
    background: theme.vars.palette.track,
  },
  '& li[data-up=false]': { boxShadow: `inset 0 -4px 0 ${theme.vars.palette.error.main}` },
  '& footer': { display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.5, 2), fontSize: 12 },
  '& footer > span:last-of-type': { marginLeft: 'auto', color: theme.vars.palette.text.secondary },
  '& footer i': { display: 'inline-block', width: 10, height: 10, borderRadius: 2, marginRight: theme.spacing(0.75) },
  ...coloursOf('light'),
  ...theme.applyStyles('dark', coloursOf('dark')),
}))
