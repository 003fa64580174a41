import type { SnapshotSources } from '../../engine/define/defineResource.ts'
import { type ServiceHealth, serviceHealth } from './serviceHealth.ts'
import { type ServiceOverview, serviceOverviewQuery } from './useServiceOverview.ts'

/** The text keys of the states of a service. */
export const serviceStateWords: Readonly<Record<ServiceHealth, string>> = {
  up: 'app.charts.health.up',
  partly: 'app.charts.health.partly',
  down: 'app.charts.health.down',
  not_permitted: 'app.charts.health.not_permitted',
  unchecked: 'app.charts.health.unchecked',
}

/** The status of all services, as the list has fetched it last. */
export const serviceStatesSnapshot = ({ queryClient, dataProvider }: SnapshotSources): Promise<ServiceOverview> =>
  queryClient.fetchQuery(serviceOverviewQuery(dataProvider.call))

/** The current state of a service. */
export function serviceStateOf(row: { id: number | string }, overview: unknown): ServiceHealth {
  const service = (overview as ServiceOverview | undefined)?.services?.[String(row.id)]
  return service ? serviceHealth(service) : 'unchecked'
}

const order: readonly ServiceHealth[] = ['down', 'partly', 'not_permitted', 'unchecked', 'up']

/** Ascending: services that are down first. */
export const serviceStateSortValue = (row: { id: number | string }, _related: unknown, overview: unknown): number =>
  order.indexOf(serviceStateOf(row, overview))

export const matchesServiceState = (
  row: { id: number | string },
  state: string,
  _related: unknown,
  overview: unknown,
): boolean => serviceStateOf(row, overview) === state
