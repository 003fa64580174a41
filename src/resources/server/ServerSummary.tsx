import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { LinkBase, useBasename, useDataProvider, useListFilterContext } from 'react-admin'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { filteredList } from '../../engine/list/state/listQuery.ts'
import { liveStates } from '../../live/store.ts'
import { useRunningAlarms } from '../alarm/RunningAlarmsBadge.tsx'
import { TroubleSlot } from './trouble/TroubleSlot.tsx'
import { useCheckedServices } from './trouble/useFindTrouble.tsx'

/** Milliseconds. The records and the newest frame are in memory: no request is made. */
const recountInterval = 5_000

/** '41 servers · 38 online · 3 offline · 2 alarms · 1 service down'; each part is a link to the records that it counts. */
export function ServerSummary() {
  const basename = useBasename()
  const { translate, locale } = useLanguage()
  const { texts } = useScreen()
  const { filterValues } = useListFilterContext()
  const servers = useServerCounts()
  const alarms = useRunningAlarms()
  const down = useServicesDown()
  const parts = [
    { key: 'all', filter: {}, text: texts.counted(servers?.total ?? 0) },
    { key: 'online', filter: { status: 'online' }, text: counted('online', servers?.online) },
    {
      key: 'offline',
      filter: { status: 'offline' },
      text: counted('offline', servers?.offline),
      bad: servers?.offline,
    },
  ].map((part) => ({
    ...part,
    path: '',
    isCurrent: JSON.stringify(part.filter) === JSON.stringify(filterValues ?? {}),
  }))
  const elsewhere = [
    { key: 'alarms', path: '/alarm', filter: { state: 'running' }, count: alarms },
    { key: 'services', path: '/service', filter: { status: 'down' }, count: down },
  ].flatMap(({ key, count, ...part }) =>
    count === undefined ? [] : [{ key, ...part, text: counted(key, count), bad: count, isCurrent: false }],
  )
  if (!servers) {
    return (
      <>
        <Line aria-hidden="true" />
        <TroubleSlot />
      </>
    )
  }
  return (
    <>
      <Line aria-label={translate('app.summary.label')}>
        {[...parts, ...elsewhere].map(({ key, path, filter, text, isCurrent, ...part }) => (
          <LinkBase
            key={key}
            to={`${basename}${path}${filteredList(filter)}`}
            aria-current={isCurrent ? 'true' : undefined}
            data-bad={'bad' in part && part.bad ? '' : undefined}
          >
            {text}
          </LinkBase>
        ))}
      </Line>
      {servers.total > 0 ? <TroubleSlot /> : null}
    </>
  )

  function counted(key: string, count = 0): string {
    return translate(`app.summary.${key}`, { smart_count: count, count: count.toLocaleString(locale) })
  }
}

/** How many servers there are, and how many are online and offline by the newest frame: as the filter finds them. */
function useServerCounts() {
  const dataProvider = useDataProvider()
  const { entity, meta } = useScreen()
  const { data } = useQuery({
    queryKey: [entity.name, 'counts'],
    queryFn: async () => {
      // A snapshot of its own: a new one of the list would change the order of its rows.
      const own = { ...meta, snapshot: liveStates }
      const count = async (filter: object) => {
        const { total = 0 } = await dataProvider.getList(entity.name, {
          filter,
          meta: own,
          pagination: { page: 1, perPage: 1 },
          // Unsorted: only one order is cached, which is the list's.
          sort: undefined as never,
        })
        return total
      }
      const [total, online] = await Promise.all([count({}), count({ status: 'online' })])
      return { total, online, offline: total - online }
    },
    // Who comes back to the list sees the numbers of a moment ago: ten thousand servers are not counted before it is drawn.
    staleTime: recountInterval,
    refetchInterval: recountInterval,
  })
  return data
}

/** How many of their services are down; `undefined` while that is not known, and where there are none. */
function useServicesDown(): number | undefined {
  const { data = [] } = useCheckedServices()
  return data.length === 0 ? undefined : data.filter(({ isDown }) => isDown).length
}

const Line = styled('nav')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: theme.spacing(0.25, 0),
  minHeight: 28,
  // Two lines on phones: the second one comes with the alarms and the services.
  [theme.breakpoints.down('sm')]: { minHeight: 58 },
  margin: theme.spacing(-0.5, 0, 1),
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  '& a': {
    padding: theme.spacing(0.5, 0),
    borderRadius: 4,
    color: theme.vars.palette.text.secondary,
    textDecoration: 'none',
  },
  '& a:hover': { color: theme.vars.palette.text.primary, textDecoration: 'underline' },
  "& a[aria-current='true']": { color: theme.vars.palette.text.primary, fontWeight: 600 },
  '& a[data-bad]': { color: theme.vars.palette.error.main },
  '& a:not(:last-child)::after': {
    content: '"·"',
    display: 'inline-block',
    padding: '0 8px',
    color: theme.vars.palette.text.secondary,
  },
  [theme.breakpoints.down('md')]: { '& a': { minHeight: 28 } },
}))
