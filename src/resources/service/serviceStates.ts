import type { Row, RowContext } from '../../records/queryRows.ts'
import type { service } from '../../schemas/service.ts'
import { type ServiceHealth, type ServiceOverview, serviceHealth } from './serviceHealth.ts'

/** The text keys of the states of a service. */
export const serviceStateWords: Readonly<Record<ServiceHealth, string>> = {
  up: 'app.charts.health.up',
  degraded: 'app.charts.health.degraded',
  partly: 'app.charts.health.partly',
  down: 'app.charts.health.down',
  paused: 'app.charts.health.paused',
  not_permitted: 'app.charts.health.not_permitted',
  unchecked: 'app.charts.health.unchecked',
}

/** The current state of a service. @param live undefined where it is not known */
export function serviceStateOf({ id }: Row<typeof service>, live: ServiceOverview | undefined): ServiceHealth {
  const found = live?.services?.[String(id)]
  return found ? serviceHealth(found) : 'unchecked'
}

const order: readonly ServiceHealth[] = ['down', 'degraded', 'partly', 'not_permitted', 'unchecked', 'up', 'paused']

/** Ascending: services that are down first. */
export const serviceStateOrder = (row: Row<typeof service>, { live }: RowContext<ServiceOverview>): number =>
  order.indexOf(serviceStateOf(row, live))
