import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { use, useEffect, useMemo, useState } from 'react'
import { LinkBase, useBasename, useDataProvider, useGetList, useLocation, useNavigate, useTranslate } from 'react-admin'
import { isolate } from '../../../../i18n/isolate.ts'
import { formatClock, formatDuration, type Language } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { timelineOf } from '../../../domain/trouble/timeline.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/page.tsx'
import type { FormState } from '../../../engine/define/screen.ts'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { LazyMenu } from '../../../engine/parts/LazyMenu.tsx'
import { serverNow } from '../../../live/serverClock.ts'
import { everyRowByName } from '../../../records/queryRows.ts'
import { allows } from '../../../schemas/define/access.ts'
import { type PastTrouble, troubleEndpoints } from '../../../schemas/endpoints/recentTrouble.ts'
import { notification } from '../../../schemas/notification.ts'
import { notificationSetup } from '../../notification/setup/notificationSetup.ts'
import { momentText } from './troubleText.tsx'
import { useUntold } from './useStripHeight.ts'

/** Below the lines of trouble: that nobody is told of it, where that is so, and what was wrong in the last 24 hours. */
export default function TroubleFoot() {
  const { identity } = useIdentity()
  return (
    <>
      {allows(identity?.role, notification.access.create) ? <NobodyTold /> : null}
      <TroubleTimeline />
    </>
  )
}

/** While there is no notifier, a link to the guide that makes one. Its place is kept until that is known. */
function NobodyTold() {
  const translate = useTranslate()
  const basename = useBasename()
  const { pathname, search } = useLocation()
  const { total, isPending } = useGetList(notification.name, everyRowByName)
  const [wasUntold, keep] = useUntold()
  useEffect(() => {
    if (total !== undefined) keep(total === 0)
  }, [total, keep])
  // A list that cannot be read says nothing about it.
  if (isPending ? !wasUntold : total !== 0) return null
  return (
    <span style={{ visibility: isPending ? 'hidden' : undefined }}>
      {translate('app.notification_setup.nobody')}{' '}
      <LinkBase
        to={`${basename}/${notificationSetup.path}`}
        state={{ openedFrom: `${pathname}${search}` } satisfies FormState}
      >
        {translate(notificationSetup.labelKey)}
      </LinkBase>
    </span>
  )
}

/** Half an hour each. */
const partCount = 48
/** Milliseconds. */
const refreshInterval = 60_000
/** Of a menu; the list of alarms has all of them. */
const mostEntries = 50
/** Milliseconds before and after, which the charts show of what a line leads to. */
const aroundMs = 30 * 60_000

/**
 * What was wrong in the last 24 hours, as bars of half an hour: the higher, the more. Each leads to what began and ended
 * then, and from there to that moment in the charts. Only where the server keeps it.
 */
function TroubleTimeline() {
  const hasIt = use(AnnouncedFeaturesContext)?.has('recent_trouble')
  return hasIt ? <Timeline /> : null
}

interface Opened {
  anchor: HTMLElement
  troubles: readonly PastTrouble[]
}

function Timeline() {
  const language = useLanguage()
  const { translate, locale } = language
  const { call } = useDataProvider<ConsoleDataProvider>()
  const basename = useBasename()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened>()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['trouble', 'recent'],
    queryFn: () => call(troubleEndpoints.recentTrouble),
    staleTime: refreshInterval / 2,
    refetchInterval: refreshInterval,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts move on with each answer
  const timeline = useMemo(() => data && timelineOf(data.troubles, serverNow(), partCount), [data, dataUpdatedAt])
  // As high as it will be, so that nothing moves when it comes.
  if (!data || !timeline) return <Place />
  const { parts, began, over } = timeline
  const most = Math.max(...parts.map(({ troubles }) => troubles.length))
  const lastEnd = data.last_ended_at === undefined ? undefined : Date.parse(data.last_ended_at)
  const entries = (opened?.troubles ?? []).slice(0, mostEntries).map((trouble) => ({
    key: `${trouble.kind} ${trouble.id}`,
    label: entryText(trouble, language),
    onSelect: () => navigate(`${basename}/${addressOf(trouble)}`),
  }))
  return (
    <Place>
      {lastEnd === undefined ? null : (
        <span data-ended="">
          {translate('app.trouble.last_ended', { time: momentText(lastEnd, serverNow(), language) })}
        </span>
      )}
      <Bars aria-hidden="true">
        {parts.map(({ from, to, troubles, isCritical }) =>
          troubles.length === 0 ? (
            <i key={from} />
          ) : (
            <button
              key={from}
              type="button"
              // By keyboard, the button behind the bars leads to the same.
              tabIndex={-1}
              title={`${formatClock(from, locale)} – ${formatClock(to, locale)}: ${troubles.length}`}
              data-critical={isCritical ? '' : undefined}
              style={{ height: `${30 + (70 * Math.log2(troubles.length + 1)) / Math.log2(most + 1)}%` }}
              onClick={({ currentTarget }) => setOpened({ anchor: currentTarget, troubles })}
            />
          ),
        )}
      </Bars>
      {data.troubles.length === 0 ? (
        <span>{translate('app.trouble.quiet_day')}</span>
      ) : (
        <Button
          size="small"
          color="inherit"
          aria-haspopup="menu"
          onClick={({ currentTarget }) => setOpened({ anchor: currentTarget, troubles: data.troubles })}
        >
          {translate('app.trouble.day', { began: began.toLocaleString(locale), over: over.toLocaleString(locale) })}
        </Button>
      )}
      <LazyMenu anchor={opened?.anchor} options={entries} onClose={() => setOpened(undefined)} />
    </Place>
  )
}

/** '13:58 – 14:04 · db-07 · Offline · 6 min'. */
function entryText({ kind, name, offline, rule_name, started_at, ended_at }: PastTrouble, language: Language): string {
  const { translate } = language
  const now = serverNow()
  const [from, to] = [Date.parse(started_at), ended_at === undefined ? undefined : Date.parse(ended_at)]
  const what =
    kind === 'outage' ? translate('app.trouble.down') : offline ? translate('app.trouble.offline') : rule_name
  const times =
    to === undefined
      ? momentText(from, now, language)
      : `${momentText(from, now, language)} – ${momentText(to, now, language)}`
  return [times, isolate(name), isolate(what ?? ''), formatDuration(((to ?? now) - from) / 1000, translate, 1)]
    .filter(Boolean)
    .join(' · ')
}

/** The page of what it is about, with its charts around that moment. */
function addressOf({ server_id, service_id, started_at, ended_at }: PastTrouble): string {
  const page = server_id === undefined ? `service/${service_id}` : `server/${server_id}`
  const from = Date.parse(started_at) - aroundMs
  const to = Math.min(serverNow(), (ended_at === undefined ? serverNow() : Date.parse(ended_at)) + aroundMs)
  const seconds = (ms: number) => String(Math.floor(ms / 1000))
  return `${page}/overview?${new URLSearchParams({ period: '1d', from: seconds(from), to: seconds(to) })}`
}

const Place = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: theme.spacing(1),
  marginInlineStart: 'auto',
  minWidth: 0,
  minHeight: 31,
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.text.secondary,
  '& > button': { flex: 'none', height: 31, whiteSpace: 'nowrap' },
  // A line of its own, as high as its button, before there is one.
  [theme.breakpoints.down('md')]: { width: '100%', minHeight: 44, '& > button': { height: 44 } },
}))

const Bars = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'flex-end',
  gap: 1,
  width: 'min(240px, 40vw)',
  height: 18,
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
  '& > *': { flex: 1, minWidth: 0, border: 0, padding: 0 },
  // The words beside it would take three lines on a phone.
  [theme.breakpoints.down('md')]: { flexShrink: 99, minWidth: 48, gap: 0 },
  '& > button': { background: theme.vars.palette.warning.main, cursor: 'pointer' },
  '& > button[data-critical]': { background: theme.vars.palette.error.main },
  '& > button:hover': { opacity: 0.7 },
  '@media (forced-colors: active)': { '& > button': { forcedColorAdjust: 'none' } },
}))
