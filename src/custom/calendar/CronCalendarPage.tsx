import Alert from '@mui/material/Alert'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { Fragment, use, useEffect, useMemo, useState } from 'react'
import { useDataProvider, useGetList, useLocaleState, useTranslate } from 'react-admin'
import { RecordLink, ShowAllButton, useFirstRows } from '../../components/overview/OverviewPage.tsx'
import { Loading, PageTitle, Panel } from '../../components/Panel.tsx'
import { settingQuery } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { SectionContext, usePageTitle } from '../../engine/define/page.tsx'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import { MoreNames } from '../../engine/parts/MoreNames.tsx'
import { everyRowByName } from '../../records/queryRows.ts'
import { TimeLine } from './TimeLine.tsx'
import { minuteMs, nameOf, type TaskOverlap, type TaskRow, taskCalendar } from './taskCalendar.ts'

const namesShown = 20

interface ServerRow {
  id: number
  name: string
}

/** The next 48 hours of all tasks, and which of them start on the same server in the same minute. */
export default function CronCalendarPage() {
  const translate = useTranslate()
  const title = translate('app.shell.cron_calendar')
  usePageTitle(title)
  const section = use(SectionContext)
  const tasks = useGetList<TaskRow>('cron', everyRowByName)
  const servers = useGetList<ServerRow>('server', everyRowByName)
  const setting = useQuery(settingQuery(useDataProvider<ConsoleDataProvider>()))
  const failed = [tasks, servers].filter(({ data, error }) => error && !data)
  const isPending = failed.length === 0 && (!tasks.data || !servers.data || setting.isPending)
  const retry = () => failed.map(({ refetch }) => refetch())
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={section} current="cron/calendar" />
      <div aria-busy={isPending}>
        {failed[0] ? <RetryAlert error={failed[0].error} onRetry={retry} /> : null}
        {isPending ? <Loading /> : null}
        {tasks.data && servers.data && !setting.isPending ? (
          <Calendar tasks={tasks.data} servers={servers.data} serverZone={setting.data?.wheelhouse?.timezone} />
        ) : null}
      </div>
    </>
  )
}

interface CalendarProps {
  tasks: readonly TaskRow[]
  servers: readonly ServerRow[]
  /** Nezha servers leave it out. */
  serverZone: string | undefined
}

function Calendar({ tasks, servers, serverZone }: CalendarProps) {
  const translate = useTranslate()
  const now = useMinute()
  const zone = serverZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const formatTime = useTimeFormat(zone)
  const serverNames = useMemo(() => new Map(servers.map(({ id, name }) => [id, name])), [servers])
  const tasksById = useMemo(() => new Map(tasks.map((task) => [task.id, task])), [tasks])
  const calendar = useMemo(
    () => taskCalendar(tasks, [...serverNames.keys()], now, zone),
    [tasks, serverNames, now, zone],
  )
  const { rows, invalid, later, triggered, overlaps } = calendar
  return (
    <>
      {serverZone ? null : (
        <Alert severity="info" sx={{ marginBottom: 2 }}>
          {translate('app.cron_calendar.zone_unknown', { zone })}
        </Alert>
      )}
      {invalid.length > 0 ? (
        <Alert severity="warning" sx={{ marginBottom: 2 }}>
          {translate('app.cron_calendar.invalid', { smart_count: invalid.length })}
          <Names>
            {invalid.map(({ task, error }) => (
              <li key={task.id}>
                <RecordLink entity="cron" record={task}>
                  {nameOf(task)}
                </RecordLink>
                {' · '}
                {translate(error.key, error.args)}
              </li>
            ))}
          </Names>
        </Alert>
      ) : null}
      <Panel
        title={translate('resources.cron.name', { smart_count: 2 })}
        hint={serverZone && translate('app.cron_calendar.zone', { zone })}
      >
        {rows.length === 0 ? (
          <p>{translate('app.cron_calendar.nothing')}</p>
        ) : (
          <TimeLine calendar={calendar} zone={zone} formatTime={formatTime} />
        )}
        {triggered > 0 ? (
          <p style={{ marginTop: 12 }}>{translate('app.cron_calendar.triggered', { smart_count: triggered })}</p>
        ) : null}
      </Panel>
      {rows.length === 0 ? null : (
        <Panel title={translate('app.cron_calendar.overlaps')} hint={translate('app.cron_calendar.overlaps_hint')}>
          <OverlapList overlaps={overlaps} tasks={tasksById} servers={serverNames} formatTime={formatTime} />
        </Panel>
      )}
      {later.length === 0 ? null : <LaterTasks tasks={later} />}
    </>
  )
}

function LaterTasks({ tasks }: { tasks: readonly TaskRow[] }) {
  const translate = useTranslate()
  const { shown, hidden, showAll } = useFirstRows(tasks, namesShown)
  return (
    <Panel title={translate('app.cron_calendar.not_drawn')}>
      <Names>
        {shown.map((task) => (
          <li key={task.id}>
            <RecordLink entity="cron" record={task}>
              {nameOf(task)}
            </RecordLink>
          </li>
        ))}
      </Names>
      <ShowAllButton hidden={hidden} showAll={showAll} />
    </Panel>
  )
}

const Names = styled('ul')(({ theme }) => ({
  margin: 0,
  paddingLeft: theme.spacing(2.5),
  '& a': { color: theme.vars.palette.primary.main },
}))

/** The current minute, in milliseconds since 1970. */
function useMinute(): number {
  const [now, setNow] = useState(() => Math.floor(Date.now() / minuteMs) * minuteMs)
  useEffect(() => {
    const timer = setTimeout(() => setNow(Math.floor(Date.now() / minuteMs) * minuteMs), now + minuteMs - Date.now())
    return () => clearTimeout(timer)
  }, [now])
  return now
}

/** Weekday and time in a zone: 'Sun 03:00'. */
function useTimeFormat(zone: string): (at: number) => string {
  const [locale] = useLocaleState()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(locale, {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    return (at) => format.format(at)
  }, [locale, zone])
}

const overlapsShown = 20
const namesOfOverlap = 3

interface OverlapListProps {
  overlaps: readonly TaskOverlap[]
  /** By id. */
  tasks: ReadonlyMap<number, TaskRow>
  /** Names by id. */
  servers: ReadonlyMap<number, string>
  formatTime: (at: number) => string
}

/** The overlaps in words: which tasks, on which servers, when. */
function OverlapList({ overlaps, tasks, servers, formatTime }: OverlapListProps) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { shown, hidden, showAll } = useFirstRows(overlaps, overlapsShown)
  if (overlaps.length === 0) return <p>{translate('app.cron_calendar.no_overlaps')}</p>
  return (
    <>
      <List>
        {shown.map((overlap) => {
          const key = `${overlap.tasks.join()} ${overlap.servers[0]} ${overlap.servers.length}`
          const names = overlap.servers.map((id) => ({ id, name: servers.get(id) ?? `#${id}` }))
          const times = overlap.times.slice(0, namesOfOverlap).map(formatTime)
          const moreTimes = overlap.times.length - times.length
          return (
            <li key={key}>
              <TaskNames tasks={overlap.tasks.flatMap((id) => tasks.get(id) ?? [])} locale={locale} />
              <small>
                {names
                  .slice(0, namesOfOverlap)
                  .map(({ name }) => name)
                  .join(', ')}
                {names.length > namesOfOverlap ? (
                  <>
                    {' '}
                    <MoreNames
                      label={translate('resources.server.name', { smart_count: 2 })}
                      names={() => names}
                      count={names.length - namesOfOverlap}
                    />
                  </>
                ) : null}
                {' · '}
                {times.join(', ')}
                {moreTimes > 0 ? ` ${translate('app.list.more', { count: moreTimes })}` : null}
              </small>
            </li>
          )
        })}
      </List>
      <ShowAllButton hidden={hidden} showAll={showAll} />
    </>
  )
}

/** Names with links, joined as the language joins them: 'Backup and Log rotation'. */
function TaskNames({ tasks, locale }: { tasks: readonly TaskRow[]; locale: string }) {
  let next = 0
  return new Intl.ListFormat(locale).formatToParts(tasks.map(nameOf)).map(({ type, value }, index) => {
    const task = type === 'element' ? tasks[next++] : undefined
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence, which all change together
      <Fragment key={index}>
        {task ? (
          <RecordLink entity="cron" record={task}>
            {value}
          </RecordLink>
        ) : (
          value
        )}
      </Fragment>
    )
  })
}

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: 14,
  overflowWrap: 'anywhere',
  '& > li': { paddingBlock: theme.spacing(1), borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& a': { color: theme.vars.palette.primary.main },
  '& small': { display: 'block', fontSize: 13, color: theme.vars.palette.text.secondary },
}))
