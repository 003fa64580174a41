import type { Row } from '../../../server/entities/row.ts'
import type { Host, HostDetails, HostState } from '../../../server/machines/hosts/host.ts'
import { createTestHost } from '../../../tests/support/server/testHost.ts'

const everyMs = 2000

/**
 * One host per row of the store. Every two seconds each reports, and every metric that a list shows has changed: the
 * most that a tick can ask of a page.
 */
export function reportingHosts(rows: readonly Row[]): Host[] {
  const machines = rows.map((row) => ({
    host: createTestHost({ uuid: String(row.uuid), name: String(row.name) }),
    details: row.host as HostDetails,
    before: row.state as HostState,
  }))
  let round = 0
  const report = () => {
    round += 1
    for (const { host, details, before } of machines)
      host.report({ host: details, state: moved(before, details, round) })
  }
  // The server starts to listen to each host after this returns.
  setTimeout(report, 0)
  setInterval(report, everyMs)
  return machines.map(({ host }) => host)
}

function moved(before: HostState, { mem_total, disk_total }: HostDetails, round: number): Partial<HostState> {
  const around = (total: number, used: number) => (used + (total * round) / 50) % total
  return {
    ...before,
    cpu: around(100, before.cpu),
    mem_used: Math.floor(around(mem_total, before.mem_used)),
    disk_used: Math.floor(around(disk_total, before.disk_used)),
    net_in_transfer: before.net_in_transfer + round * 2 ** 30,
    net_out_transfer: before.net_out_transfer + round * 2 ** 30,
    net_in_speed: before.net_in_speed + round * 1000,
    net_out_speed: before.net_out_speed + round * 1000,
    uptime: before.uptime + round * 2,
  }
}
