import type { ReplyOf } from '../../schemas/define/endpoint.ts'
import type { historyEndpoints } from '../../schemas/endpoints/historyEndpoints.ts'
import type { Point } from './LineChart.tsx'

/** The metrics whose course visitors see. */
export const shownMetrics = ['cpu', 'memory', 'disk', 'net_in_speed', 'net_out_speed', 'load1'] as const
export type ShownMetric = (typeof shownMetrics)[number]

/** The course of a metric in the last day, which is all that a guest may ask for. */
export async function fetchMetric(server: number, metric: ShownMetric): Promise<Point[]> {
  type Reply = ReplyOf<typeof historyEndpoints.serverMetric>
  const { data_points } = await fetchData<Reply>(`server/${server}/metrics?metric=${metric}&period=1d`)
  return data_points
}

/** The latency of each service that the server checks, by the name of the service. */
export async function fetchLatencies(server: number): Promise<{ name: string; points: Point[] }[]> {
  type Reply = ReplyOf<typeof historyEndpoints.serverServices>
  const services = await fetchData<Reply | undefined>(`server/${server}/service?period=1d`)
  return (services ?? []).map(({ monitor_name, created_at, avg_delay }) => ({
    name: monitor_name,
    points: created_at.map((ts, index) => ({ ts, value: avg_delay[index] ?? null })),
  }))
}

/** @throws Error when the server cannot be reached or refuses */
async function fetchData<Data>(path: string): Promise<Data> {
  const reply = await fetch(`/api/v1/${path}`)
  const { data, error } = (await reply.json()) as { data: Data; error?: string }
  if (error !== undefined) throw new Error(error)
  return data
}
