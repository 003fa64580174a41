import type { PublicStatus, StatusIncident, StatusService } from '../../src/schemas/status/publicStatus.ts'
import type { ServiceRow } from '../services/serviceRow.ts'
import { timestamp } from '../wire/timestamp.ts'
import type { ServiceAvailability } from './history/availability.ts'
import type { Incident } from './history/incidents.ts'
import type { StatusSources } from './statusSources.ts'

type ServicesOfStatus = Pick<PublicStatus, 'services' | 'states' | 'today'>

/** What visitors see of services. @param rows those that they may see */
export async function readServices(
  rows: readonly Pick<ServiceRow, 'id' | 'name' | 'paused'>[],
  { availability, checker }: Pick<StatusSources, 'availability' | 'checker'>,
): Promise<ServicesOfStatus> {
  const availabilities = await availability.of(rows.map(({ id }) => id))
  const read: ServicesOfStatus = { services: [], states: {}, today: '' }
  for (const { id, name, paused } of rows) {
    const days = availabilities.get(id) as ServiceAvailability
    const today = days.days.at(-1)
    read.today = today?.day ?? ''
    read.services.push({ id, name: name, ...availabilityOf(days) })
    const state = checker.statusOf(id)
    const outage = state === 'down' ? checker.outagesOf(id)[0] : undefined
    read.states[id] = {
      ...(state && { state: checker.isDegraded(id) ? 'degraded' : state }),
      ...(paused && { state: 'paused' }),
      ...(outage?.ended_at === null && { since: timestamp(outage.started_at) }),
      ...(today?.latency != null && { latency: Math.round(today.latency) }),
    }
  }
  return read
}

function availabilityOf({
  days,
  up_30,
  up_90,
}: ServiceAvailability): Pick<StatusService, 'up' | 'down_minutes' | 'up_30' | 'up_90'> {
  const down = days.flatMap(({ down_minutes }, index) => (down_minutes > 0 ? [[index, down_minutes] as const] : []))
  return {
    up: days.map(({ up }) => rounded(up)),
    down_minutes: Object.fromEntries(down),
    up_30: rounded(up_30),
    up_90: rounded(up_90),
  }
}

/** Downwards: a share of 1 means that nothing failed. */
const rounded = (share: number | null) => share && Math.floor(share * 10_000) / 10_000

export const incidentOf = ({ id, kind, name, started_at, ended_at, cause }: Incident): StatusIncident => ({
  id,
  kind,
  name,
  started_at: timestamp(started_at),
  cause: cause.kind,
  ...(ended_at !== null && { ended_at: timestamp(ended_at) }),
  ...(cause.kind === 'status' && { code: cause.code }),
})
