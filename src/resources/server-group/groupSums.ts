import {
  cpuPercent,
  hasReported,
  metricsAt,
  networkSpeeds,
  type ServerMetrics,
  type ServerRow,
} from '../../components/serverMetrics.ts'
import type { Entries } from '../../live/packedEntries.ts'

/** Bytes in use of bytes that there are; `percent` is absent where nothing is measured. */
interface Use {
  used: number
  total: number
  percent?: number
}

/** What the servers of a group are and use together. */
export interface GroupSums {
  servers: number
  online: number
  /** Percent of all processors, as the mean of the servers that are online, and the busiest of them. */
  cpu?: { mean: number; highest: number; busiest: string }
  memory: Use
  /** Servers that are offline have theirs as well. */
  disk: Use
  /** Bytes per second, sent and received; absent where nothing is measured. */
  speeds?: [up: number, down: number]
}

/** @param live all servers at one moment; without it, what their records say */
export function groupSums(rows: readonly ServerRow[], live: Entries | undefined): GroupSums {
  const sums: GroupSums = {
    servers: rows.length,
    online: 0,
    memory: { used: 0, total: 0 },
    disk: { used: 0, total: 0 },
  }
  const cpu = { total: 0, count: 0, highest: -1, busiest: '' }
  for (const row of rows) {
    const metrics = metricsAt(row, live)
    if (metrics.online) sums.online += 1
    addCpu(metrics, row.name)
    if (metrics.online) addUse(sums.memory, metrics, 'mem_used', metrics.host.mem_total)
    addUse(sums.disk, metrics, 'disk_used', metrics.host.disk_total)
    const speeds = networkSpeeds(metrics)
    if (speeds) sums.speeds = [(sums.speeds?.[0] ?? 0) + speeds[0], (sums.speeds?.[1] ?? 0) + speeds[1]]
  }
  if (cpu.count > 0) sums.cpu = { mean: cpu.total / cpu.count, highest: cpu.highest, busiest: cpu.busiest }
  for (const use of [sums.memory, sums.disk]) if (use.total > 0) use.percent = (use.used / use.total) * 100
  return sums

  function addCpu(metrics: ServerMetrics, name: string): void {
    const percent = cpuPercent(metrics)
    if (percent === undefined) return
    cpu.total += percent
    cpu.count += 1
    if (percent > cpu.highest) Object.assign(cpu, { highest: percent, busiest: name })
  }
}

function addUse(use: Use, metrics: ServerMetrics, name: 'mem_used' | 'disk_used', total = 0): void {
  if (total === 0 || !hasReported(metrics, name)) return
  use.used += metrics.state[name] ?? 0
  use.total += total
}
