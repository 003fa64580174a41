import FolderOutlined from '@mui/icons-material/FolderOutlined'
import Button from '@mui/material/Button'
import { useMemo } from 'react'
import { LinkBase, type RaRecord, RecordContextProvider, useBasename, useTranslate } from 'react-admin'
import { usePeriod } from '../../../components/charts/ChartTimeline.tsx'
import { formatAge, formatDateTime, formatDuration } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { TerminalIcon } from '../../../components/icons.tsx'
import { OverviewPage, RelatedList } from '../../../components/overview/OverviewPage.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { type ServerRow, useServerMetric } from '../../../components/serverMetrics.ts'
import { useSetting } from '../../../components/useSetting.ts'
import { isZeroTime } from '../../../live/lastReport.ts'
import { useServerClock } from '../../../live/serverClock.ts'
import { alertRule } from '../../../schemas/alertRule.ts'
import { coverAlarmed, cron } from '../../../schemas/cron.ts'
import { ddns } from '../../../schemas/ddns.ts'
import type { TaskRun } from '../../../schemas/endpoints/taskRunEndpoints.ts'
import { nat } from '../../../schemas/nat.ts'
import { serverGroup } from '../../../schemas/serverGroup.ts'
import { service } from '../../../schemas/service.ts'
import { AlarmList } from '../../alarm/columns.tsx'
import { ruleTypeText } from '../../alert-rule/alertRule.ts'
import { lastRuns, RunList, RunState, runMarks, TaskResult, useRunsIn, useServerRuns } from '../../cron/columns.tsx'
import DdnsStatus from '../../ddns/DdnsStatus.tsx'
import { isChecked, isRun, isWatched } from '../../service/page/coverage.ts'
import ServiceStatus from '../../service/ServiceStatus.tsx'
import { ServerStatus } from '../cells.tsx'
import { ServerTraffic } from '../contract/ServerTraffic.tsx'
import { ServerTabs } from '../inspect/ServerTabs.tsx'
import { TroubleBanner } from '../trouble/TroubleLine.tsx'
import { ServerCharts } from './ServerCharts.tsx'
import { ServerFacts, ServerMetricRow, ServerNotes } from './ServerFacts.tsx'
import { alarmMarks, useServerAlarms } from './useServerHistory.ts'

/** Everything about one server. */
export default function ServerOverview() {
  return (
    <OverviewPage<RaRecord & ServerRow>
      state={(server) => (
        <>
          <ServerStatus />
          <Since server={server} />
        </>
      )}
      banner={(server) => (
        <TroubleBanner kind="server" id={Number(server.id)} isExpected={isZeroTime(String(server.last_active ?? ''))} />
      )}
      buttons={(server) => <SessionButtons server={server} />}
      metrics={(server) => (
        <>
          <ServerTabs server={server} current="overview" />
          <ServerMetricRow server={server} />
        </>
      )}
      main={(server) => <History key={server.id} server={server} />}
      aside={(server) => (
        <>
          <ServerNotes server={server} />
          <ServerFacts server={server} />
          <ServerRelations server={server} />
          <ServerTraffic key={server.id} server={server} />
        </>
      )}
    />
  )
}

/** Since when the machine runs, or when it was last seen. */
function Since({ server }: { server: ServerRow }) {
  const { locale, translate } = useLanguage()
  const text = useServerMetric(server, ({ online, seenAt, host, state }) => {
    if (!online) {
      return seenAt === undefined
        ? translate('resources.server.values.not_since_start')
        : translate('app.overview.last_seen', { date: formatDateTime(seenAt, locale) })
    }
    if (!host.boot_time) return ''
    return translate('app.overview.running_since', {
      date: formatDateTime(host.boot_time * 1000, locale),
      duration: formatDuration(state.uptime ?? 0, translate, 1),
    })
  })
  return <small>{text}</small>
}

/** The terminal page of the server, as it is and with its file panel open, each in a tab of the browser. */
function SessionButtons({ server }: { server: RaRecord }) {
  const translate = useTranslate()
  const basename = useBasename()
  const address = `${basename}/terminal/${server.id}`
  const own = { component: LinkBase, target: '_blank', rel: 'noopener', variant: 'outlined', color: 'inherit' } as const
  return (
    <>
      <Button
        {...own}
        to={address}
        startIcon={<TerminalIcon />}
        aria-label={translate('app.shell.open_terminal', { name: server.name })}
      >
        {translate('app.overview.terminal')}
      </Button>
      <Button
        {...own}
        to={`${address}?files`}
        startIcon={<FolderOutlined />}
        aria-label={translate('app.overview.open_files', { name: server.name })}
      >
        {translate('app.terminal.files')}
      </Button>
    </>
  )
}

function History({ server }: { server: ServerRow }) {
  const translate = useTranslate()
  const choice = usePeriod()
  const alarms = useServerAlarms(Number(server.id), choice.period)
  const runs = useRunsIn(choice.period, useServerRuns(Number(server.id)))
  const marks = useMemo(() => [...alarmMarks(alarms), ...runMarks(runs)], [alarms, runs])
  return (
    <>
      <Panel title={translate('app.overview.history')}>
        <ServerCharts server={server} choice={choice} marks={marks} />
      </Panel>
      <AlarmList alarms={alarms} />
      <RunList runs={runs} />
    </>
  )
}

/** What belongs to a server: groups, services, rules, tasks, DDNS and NAT profiles. */
function ServerRelations({ server }: { server: RaRecord }) {
  const translate = useTranslate()
  const language = useLanguage()
  const setting = useSetting()
  const id = Number(server.id)
  const runs = useServerRuns(id)
  const lastRun = useMemo(() => runs && lastRuns(runs), [runs])
  const of = (record: RaRecord, cell: React.ReactNode) => (
    <RecordContextProvider value={record}>{cell}</RecordContextProvider>
  )
  const plural = (name: string) => translate(`resources.${name}.name`, { smart_count: 2 })
  const off = <small>{translate('app.overview.off')}</small>
  const profiles = (server.ddns_profiles ?? []) as readonly number[]
  return (
    <Panel title={translate('app.overview.belongings')}>
      <RelatedList
        entity={serverGroup}
        title={plural('server-group')}
        isRelated={({ servers }) => (servers ?? []).includes(id)}
      />
      <RelatedList
        entity={service}
        title={translate('app.charts.metrics.services')}
        isRelated={(record) => isChecked(record, id)}
        detail={(record) => of(record, <ServiceStatus />)}
      />
      <RelatedList
        entity={alertRule}
        title={plural('alert-rule')}
        none={translate('app.overview.not_watched')}
        isRelated={(record) => isWatched(record, id)}
        detail={({ enable, rules }) =>
          enable ? (
            <small>
              {(rules as { type?: string }[]).map(({ type }) => ruleTypeText(String(type), language)).join(', ')}
            </small>
          ) : (
            off
          )
        }
      />
      <RelatedList
        entity={cron}
        title={plural('cron')}
        isRelated={(record) => isRun(record, id)}
        detail={(record) =>
          lastRun ? (
            <LastRun task={record} run={lastRun.get(Number(record.id))} />
          ) : record.cover === coverAlarmed && isZeroTime(record.last_executed_at) ? (
            <small>{translate('resources.cron.choices.cover.alarmed')}</small>
          ) : (
            <span>
              {of(record, <TaskResult />)} <TaskAge record={record} />
            </span>
          )
        }
      />
      {server.enable_ddns || profiles.length > 0 ? (
        <RelatedList
          entity={ddns}
          title={plural('ddns')}
          isRelated={(record) => profiles.includes(Number(record.id))}
          detail={(record) => (server.enable_ddns ? setting?.wheelhouse?.ddns && of(record, <DdnsStatus />) : off)}
        />
      ) : null}
      <RelatedList
        entity={nat}
        title={plural('nat')}
        isRelated={({ server_id }) => server_id === id}
        detail={({ domain, host, enabled }) => (
          <small>
            {domain} → {host} {enabled ? null : `(${translate('app.overview.off')})`}
          </small>
        )}
      />
    </Panel>
  )
}

/** How a task went on this server the last time. */
function LastRun({ task, run }: { task: RaRecord; run: TaskRun | undefined }) {
  const { translate } = useLanguage()
  const now = useServerClock()
  if (!run) {
    const key = isZeroTime(task.last_executed_at) ? 'never_run' : 'no_run_kept'
    return <small>{translate(`app.overview.${key}`)}</small>
  }
  return (
    <span>
      <RunState run={run} /> <small>{formatAge(Date.parse(run.started_at), now, translate)}</small>
    </span>
  )
}

/** Of servers that keep no runs: when the task ran last, wherever that was. */
function TaskAge({ record }: { record: RaRecord }) {
  const { translate } = useLanguage()
  const now = useServerClock()
  if (isZeroTime(record.last_executed_at)) return <small>{translate('app.overview.never_run')}</small>
  return <small>{formatAge(Date.parse(record.last_executed_at), now, translate)}</small>
}
