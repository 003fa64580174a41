import FolderOutlined from '@mui/icons-material/FolderOutlined'
import Button from '@mui/material/Button'
import { useMemo } from 'react'
import { LinkBase, type RaRecord, useBasename, useTranslate } from 'react-admin'
import { usePeriod } from '../../../components/charts/usePeriod.ts'
import { formatDateTime, formatDuration } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { TerminalIcon } from '../../../components/icons.tsx'
import { OverviewPage } from '../../../components/overview/OverviewPage.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { type ServerRow, useServerMetric } from '../../../components/serverMetrics.ts'
import { isZeroTime } from '../../../live/lastReport.ts'
import { AlarmList } from '../../alarm/AlarmList.tsx'
import { RunList } from '../../cron/RunList.tsx'
import { runMarks, useRunsIn, useServerRuns } from '../../cron/useServerRuns.ts'
import { ServerTraffic } from '../contract/ServerTraffic.tsx'
import { ServerTabs } from '../inspect/ServerTabs.tsx'
import { ServerStatus } from '../ServerStatus.tsx'
import { TroubleBanner } from '../trouble/TroubleBanner.tsx'
import { ServerCharts } from './ServerCharts.tsx'
import { ServerFacts } from './ServerFacts.tsx'
import { ServerMetricRow } from './ServerMetricRow.tsx'
import { ServerNotes } from './ServerNotes.tsx'
import { ServerRelations } from './ServerRelations.tsx'
import { alarmMarks, useServerAlarms } from './useServerAlarms.ts'

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
