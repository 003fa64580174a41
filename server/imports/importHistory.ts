import type { PastValues } from '../db/history/series.ts'
import { dayOf } from '../services/history/samples.ts'
import type { PastReport } from '../services/history/serverMetrics.ts'
import type { Services } from '../services/services.ts'
import type { PastResult } from './readers/importData.ts'

/** Where the services and servers of a file are here; without an id, their results are left out. */
export interface IdsHere {
  /** Only of services that the import has made: another one has results of its own. */
  service(id: number): number | undefined
  server(id: number): number | undefined
  /** Only of servers that the import has made. */
  newServer(id: number): number | undefined
}

/** Writes what another product has measured to the history. @param now milliseconds since 1970 */
export async function addPastResults(
  { samples, metrics }: Pick<Services, 'samples' | 'metrics'>,
  results: readonly PastResult[],
  ids: IdsHere,
  now: number,
): Promise<void> {
  const checks: PastValues[] = []
  const days: PastValues[] = []
  const reports: PastReport[] = []
  for (const result of results) {
    const { at } = result
    if (at > now) continue
    if (result.series === 'metrics') {
      const { state, temperature } = result
      const server = ids.newServer(result.server)
      const temperatures = temperature === undefined ? {} : { temperatures: [{ Name: '', Temperature: temperature }] }
      if (server !== undefined) reports.push({ server, at, state: { ...state, ...temperatures } })
      continue
    }
    const { series, service, server, up, down, delay } = result
    const one = ids.service(service)
    const other = series === 'days' ? 0 : ids.server(server)
    if (one === undefined || other === undefined) continue
    const values = [up, down, 0, delay]
    if (series === 'checks') checks.push({ key: { one, other }, at, values })
    else days.push({ key: { one, other: 0 }, at: dayOf(at), values })
  }
  await samples.checks.addPast(checks, now)
  await samples.days.addPast(days, now)
  await metrics.addPast(reports, now)
}
