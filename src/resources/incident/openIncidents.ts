import { useQuery } from '@tanstack/react-query'
import { useDataProvider } from 'react-admin'
import { useSetting } from '../../components/useSetting.ts'
import type { Trouble } from '../../domain/trouble/trouble.ts'
import { incident } from '../../schemas/incident.ts'
import type { incidentStates } from '../../schemas/incidents/incidentRecord.ts'
import type { Incident, IncidentPart } from './columns.tsx'

/** Milliseconds. */
const refreshInterval = 15_000
/** What goes wrong together is one incident, so there are few; the oldest beyond that are found in their list. */
const mostIncidents = 200

/** The incidents that are not resolved; none until they are known, and with servers that have no incidents. */
export function useOpenIncidents(): readonly Incident[] {
  const dataProvider = useDataProvider()
  const inState = async (state: (typeof incidentStates)[number]) => {
    const pagination = { page: 1, perPage: mostIncidents }
    const params = { filter: { state }, pagination, sort: { field: 'id', order: 'DESC' as const } }
    return (await dataProvider.getList<Incident>(incident.name, params)).data
  }
  const { data = [] } = useQuery({
    queryKey: [incident.name, 'unresolved'],
    queryFn: async () => (await Promise.all([inState('open'), inState('acknowledged')])).flat(),
    enabled: useSetting()?.wheelhouse?.incidents === true,
    staleTime: refreshInterval / 2,
    refetchInterval: refreshInterval,
  })
  return data
}

/** The incident that a trouble belongs to, if it is among these. */
export function incidentOf(trouble: Trouble, incidents: readonly Incident[]): Incident | undefined {
  return incidents.find(({ parts }) => parts?.some((part) => part.ended_at === undefined && isAbout(part, trouble)))
}

function isAbout(part: IncidentPart, trouble: Trouble): boolean {
  switch (trouble.kind) {
    case 'server_offline':
      // What is wrong with a server that is gone is part of its being gone.
      return part.server_id === trouble.server_id && part.service_id === 0
    case 'alarm':
      return part.kind === 'alarm' && part.server_id === trouble.server_id && part.rule_id === trouble.rule_id
    case 'service_down':
      return part.kind === 'outage' && part.service_id === trouble.service_id
    case 'certificate':
      return part.kind === 'certificate' && part.service_id === trouble.service_id
    default:
      return false
  }
}
