import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from './api.ts'
import type { Seeded } from './seedRecords.ts'
import type { Targets } from './targets.ts'

/** What the server under test reports it has done, and the calls that arrived at its targets. */
export interface Counters {
  /** Checks by the order of the services: http, icmp, tcp, and one whose port comes and goes. */
  services: { up: number; down: number; notPermitted: number }[]
  alarms: { started: number; recovered: number }
  deliveries: { sent: number; failed: number }
  /** Bytes of the running traffic cycle. */
  cycle: number
  /** Lines that tasks have written. */
  tasks: { scheduled: number; failed: number; recovered: number }
  /** Calls that arrived. */
  calls: { notify: number; ddns: number }
}

interface Overview {
  services?: Record<string, { total_up?: number; total_down?: number; not_permitted?: number }>
  cycle_transfer_stats?: Record<string, { transfer?: Record<string, number> }>
}
interface Page<Row> {
  value?: Row[]
  pagination?: { total?: number }
}

/** @param folder where the tasks write */
export async function readCounters(api: Api, targets: Targets, seeded: Seeded, folder: string): Promise<Counters> {
  const { services = {}, cycle_transfer_stats: cycles = {} } = await api.call<Overview>('GET', 'service')
  const list = <Row>(path: string) => api.call<Page<Row> | undefined>('GET', `wheelhouse/${path}?limit=200`)
  const alarms = (await list<{ ended_at?: string; withdrawn?: boolean }>('alarms'))?.value ?? []
  const deliveries = (await list<{ state?: number }>('deliveries'))?.value ?? []
  const lines = (file: string) => {
    const path = join(folder, file)
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
  }
  return {
    services: seeded.serviceIds.map((id) => ({
      up: services[id]?.total_up ?? 0,
      down: services[id]?.total_down ?? 0,
      notPermitted: services[id]?.not_permitted ?? 0,
    })),
    alarms: {
      started: alarms.length,
      recovered: alarms.filter(({ ended_at, withdrawn }) => ended_at && !withdrawn).length,
    },
    deliveries: {
      sent: deliveries.filter(({ state }) => state === 1).length,
      failed: deliveries.filter(({ state }) => state === 2).length,
    },
    cycle: Math.max(0, ...Object.values(cycles).flatMap(({ transfer }) => Object.values(transfer ?? {}))),
    tasks: { scheduled: lines('scheduled'), failed: lines('failed'), recovered: lines('recovered') },
    calls: { notify: targets.calls('/notify'), ddns: targets.calls('/ddns') },
  }
}

/** What did not happen, after so many minutes, although it should have. */
export function missingIn(counters: Counters, minutes: number): string[] {
  const { services, alarms, deliveries, tasks, calls, cycle } = counters
  const [http, icmp, tcp, unstable] = services
  // A check every five seconds, with room for the restart and a busy machine.
  const enough = minutes * 12 * 0.7
  const scheduled = minutes * 3 * 0.8
  const expected: [boolean, string][] = [
    [(http?.up ?? 0) > enough, `the HTTP service was seen up ${http?.up} times, expected ${enough.toFixed(0)}`],
    [(tcp?.up ?? 0) > enough, `the TCP service was seen up ${tcp?.up} times, expected ${enough.toFixed(0)}`],
    [
      (icmp?.up ?? 0) > enough || (icmp?.notPermitted ?? 0) > 0,
      `the ICMP service was seen up ${icmp?.up} times, expected ${enough.toFixed(0)}`,
    ],
    [http?.down === 0 && tcp?.down === 0, `services that were always there were seen down`],
    [(unstable?.up ?? 0) > 0 && (unstable?.down ?? 0) > 0, 'the service that comes and goes was not seen both ways'],
    [alarms.started > 0, 'no alert fired'],
    [alarms.recovered > 0, 'no alert recovered'],
    [tasks.failed > 0 && tasks.recovered > 0, 'alerts did not trigger their tasks'],
    [tasks.scheduled > scheduled, `the task ran ${tasks.scheduled} times, expected ${scheduled.toFixed(0)}`],
    [calls.notify > 0, 'no notification arrived'],
    [deliveries.sent > 0 && deliveries.failed > 0, 'deliveries are not on record both ways'],
    [calls.ddns > 0, 'the DDNS webhook was not called'],
    [cycle > 0, 'no traffic cycle is counted'],
  ]
  return expected.flatMap(([isGood, text]) => (isGood ? [] : [`After ${minutes.toFixed(0)} minutes: ${text}.`]))
}

/** What a restart lost. */
export function lostBetween(before: Counters, after: Counters): string[] {
  const counts = ({ services, alarms, cycle }: Counters): [string, number][] => [
    ...services.map(({ up, down }, at): [string, number] => [`checks of service ${at + 1}`, up + down]),
    ['alarms', alarms.started],
    ['bytes of the traffic cycle', cycle],
  ]
  const now = counts(after)
  return counts(before).flatMap(([name, count], at) => {
    const after = now[at]?.[1] ?? 0
    return after < count ? [`The restart lost ${name}: ${count} before, ${after} after.`] : []
  })
}
