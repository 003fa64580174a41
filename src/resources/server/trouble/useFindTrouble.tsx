import { useQuery } from '@tanstack/react-query'
import { Suspense, use, useEffect, useMemo, useState } from 'react'
import { useDataProvider } from 'react-admin'
import type { ServerRow } from '../../../components/serverMetrics.ts'
import { useServerTroubles } from '../../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../../dataProvider.ts'
import { findTrouble, type TroubleSources } from '../../../domain/trouble/findTrouble.ts'
import { fullDiskPercent } from '../../../domain/trouble/fullDisk.ts'
import { AnnouncedFeaturesContext } from '../../../engine/define/page.tsx'
import { useIdentity } from '../../../engine/parts/identity.tsx'
import { lazyPart } from '../../../engine/parts/lazyPart.tsx'
import type { FullDisks, OfflineServers } from '../../../live/feedMessages.ts'
import { useFullDisks, useOfflineServers } from '../../../live/fleet.ts'
import { isZeroTime, lastReportAt } from '../../../live/lastReport.ts'
import { serverNow } from '../../../live/serverClock.ts'
import { setTrouble, useTrouble } from '../../../live/trouble.ts'
import { everyRow } from '../../../records/queryRows.ts'
import { allows } from '../../../schemas/define/access.ts'
import { endpoints } from '../../../schemas/endpoints/index.ts'
import { notification } from '../../../schemas/notification.ts'
import { server } from '../../../schemas/server.ts'
import { service } from '../../../schemas/service.ts'
import { useRunningAlarmsQuery } from '../../alarm/RunningAlarmsBadge.tsx'
import { silencesQuery } from '../../mute/silences.ts'
import { type ServiceOverview, serviceHealth, useServiceOverview } from '../../service/serviceHealth.ts'

/** Milliseconds. Servers are in memory: nothing is asked for. */
const recountInterval = 10_000
/** Milliseconds. */
const agentsInterval = 60_000
/** Milliseconds. */
const notifiersInterval = 60_000

const noSilences: TroubleSources['silences'] = { server: new Set(), service: new Set() }

/**
 * Looks for what is wrong for as long as it is mounted, once for the whole page, and stores it (`src/live/trouble.ts`).
 * Servers that are not embedded give what they have: who is offline, and which services are down.
 */
function useFindTrouble(): void {
  const features = use(AnnouncedFeaturesContext)
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const { identity } = useIdentity()
  const offline = useOfflineServers()
  const fullDisks = useFullDisks()
  const warnings = useServerTroubles()
  const servers = useAll<ServerRow>(server.name, recountInterval)
  const alarms = useRunningAlarmsQuery((running) => running.alarms)
  const services = useCheckedServices()
  // The list of servers comes first, also on a slow line.
  const hasServers = servers.data !== undefined
  const silences = useQuery({
    ...silencesQuery(dataProvider),
    enabled: hasServers && features?.has('maintenance') === true,
  })
  const agents = useQuery({
    queryKey: ['agents', 'turned-away'],
    queryFn: () => dataProvider.call(endpoints.turnedAwayAgents),
    enabled: hasServers && features?.has('agents') === true,
    staleTime: agentsInterval,
    refetchInterval: agentsInterval,
  })
  const notifiers = useQuery({
    queryKey: [notification.name, 'undelivered'],
    // Asked for anew each time: a list that is in memory stays as it was read.
    queryFn: () => dataProvider.reload(notification.name),
    enabled: hasServers && features?.has('deliveries') === true && allows(identity?.role, notification.access.list),
    staleTime: notifiersInterval,
    refetchInterval: notifiersInterval,
  })
  const contracts = useQuery({
    queryKey: ['contracts', 'troubles'],
    queryFn: async () => (await import('../contract/contractTroubles.ts')).contractTroubles(dataProvider),
    enabled: features?.has('contracts') === true && servers.data?.some(({ contract }) => contract) === true,
    staleTime: notifiersInterval,
    refetchInterval: notifiersInterval,
  })
  const sources = [servers, alarms, services, silences, contracts]
  const isKnown = features !== undefined && !sources.some(({ isLoading }) => isLoading)
  const warningNames = warnings.join()
  useEffect(() => {
    // All at once: rows that are sorted by it move once, and not with each answer.
    if (!isKnown || !servers.data) return
    setTrouble(
      findTrouble({
        now: serverNow(),
        ...serversInTrouble(servers.data, offline, fullDisks),
        alarms: alarms.data ?? [],
        contracts: contracts.data,
        services: services.data ?? [],
        agents: agents.data ?? [],
        notifiers: notifiers.data ?? [],
        warnings: warningNames === '' ? [] : warningNames.split(','),
        silences: silences.data ?? noSilences,
      }),
    )
  }, [
    isKnown,
    servers.data,
    offline,
    fullDisks,
    alarms.data,
    contracts.data,
    services.data,
    agents.data,
    notifiers.data,
    warningNames,
    silences.data,
  ])
  useEffect(() => () => setTrouble(undefined), [])
}

/** All records of a list that is in memory, or comes there; in no order, because only one is cached, which is the list's. */
function useAll<Record extends { id: number | string }>(name: string, refetchInterval: number, enabled = true) {
  const dataProvider = useDataProvider()
  return useQuery({
    queryKey: [name, 'all'],
    queryFn: async () =>
      (await dataProvider.getList<Record>(name, { pagination: everyRow, sort: undefined as never })).data,
    // Comparing thousands of old and new records costs more than it saves.
    structuralSharing: false,
    staleTime: refetchInterval,
    refetchInterval,
    enabled,
  })
}

function serversInTrouble(
  servers: readonly ServerRow[],
  offline: OfflineServers | undefined,
  fullDisks: FullDisks | undefined,
) {
  const found = {
    offline: [] as TroubleSources['offline'][number][],
    fullDisks: [] as TroubleSources['fullDisks'][number][],
    shared: [] as TroubleSources['shared'][number][],
  }
  for (const row of servers) {
    const id = Number(row.id)
    const { name, duplicate_uuid: addresses } = row
    // Before the first frame, records say who is offline and how full disks are.
    const isOffline = offline ? offline.has(id) : isZeroTime(row.last_active)
    if (isOffline) found.offline.push({ id, name, since: offline ? offline.get(id) : lastReportAt(row) })
    const percent = fullDisks ? fullDisks.get(id) : fullDiskPercent(row.state?.disk_used, row.host?.disk_total)
    if (percent !== undefined && !isOffline) found.fullDisks.push({ id, name, percent })
    if (addresses?.length) found.shared.push({ id, name, addresses })
  }
  return found
}

/** The services that this person looks after, as they are checked: visitors see those of others, too. */
export function useCheckedServices() {
  const { identity } = useIdentity()
  const isAdmin = allows(identity?.role, 'admin')
  const own = useAll(service.name, recountInterval, identity !== undefined && !isAdmin)
  const overview = useServiceOverview(checkedServices)
  const data = useMemo(() => {
    const ids = isAdmin ? undefined : new Set(own.data?.map(({ id }) => Number(id)))
    return overview.data?.filter(({ id }) => !ids || ids.has(id))
  }, [isAdmin, own.data, overview.data])
  return { isLoading: overview.isLoading || own.isLoading, data }
}

const checkedServices = ({ services }: ServiceOverview): TroubleSources['services'][number][] =>
  Object.entries(services ?? {}).map(([id, item]) => ({
    id: Number(id),
    name: item.service_name,
    isDown: serviceHealth(item) === 'down',
    downSince: item.down_since === undefined ? undefined : Date.parse(item.down_since),
    problem: item.problem ?? '',
    certificateEnd: item.certificate_expires_at === undefined ? undefined : Date.parse(item.certificate_expires_at),
  }))

/** Fetched with the first trouble. */
const TroubleSignals = lazyPart(() => import('./TroubleSignals.tsx'))

/** Looks for trouble on every screen, and says so where no screen does. */
export function TroubleWatch() {
  useFindTrouble()
  const isWrong = useTrouble(({ troubles, count }) => troubles && count > 0)
  const [wasWrong, setWasWrong] = useState<boolean>()
  const [hasSignals, setSignals] = useState(false)
  if (isWrong !== undefined && wasWrong === undefined) setWasWrong(isWrong)
  if (isWrong && !hasSignals) setSignals(true)
  return hasSignals ? (
    <Suspense>
      <TroubleSignals isNew={wasWrong === false} />
    </Suspense>
  ) : null
}
