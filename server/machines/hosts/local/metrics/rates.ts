import type { CpuTimes, NetworkCounters, Reading } from './counters.ts'

export interface Rates {
  /** Percent, 0 to 100. */
  cpu: number
  /** Bytes per second. */
  received: number
  /** Bytes per second. */
  sent: number
}

/**
 * The kernel counts processor time in steps of 10 ms, so a shorter span would say more about the steps than the use.
 */
export const SHORTEST_SPAN_MS = 250

/**
 * Makes rates of successive readings. Two looks closer than SHORTEST_SPAN_MS give the rates known before, and the
 * earlier look stays the one to measure from.
 */
export function createRates(): (reading: Reading) => Rates {
  let cpuBase: Pick<Reading, 'at' | 'cpu'> | undefined
  let networkBase: NetworkCounters | undefined
  const rates: Rates = { cpu: 0, received: 0, sent: 0 }
  return (reading) => {
    if (!cpuBase || reading.at - cpuBase.at >= SHORTEST_SPAN_MS) {
      if (cpuBase) rates.cpu = cpuPercent(cpuBase.cpu, reading.cpu)
      cpuBase = reading
    }
    if (!networkBase || reading.network.at - networkBase.at >= SHORTEST_SPAN_MS) {
      if (networkBase) Object.assign(rates, networkSpeeds(networkBase, reading.network))
      networkBase = reading.network
    }
    return { ...rates }
  }
}

/** Use between two looks in percent; 0 when no time passed or the counters went backwards, as after a resume. */
export function cpuPercent(earlier: CpuTimes, later: CpuTimes): number {
  const total = later.total - earlier.total
  if (total <= 0) return 0
  return Math.min(100, Math.max(0, (100 * (later.busy - earlier.busy)) / total))
}

/**
 * Whole bytes per second between two looks, made interface by interface: one that appears, disappears or starts to
 * count anew adds nothing, where the difference of sums would show a peak or a negative speed.
 */
export function networkSpeeds(earlier: NetworkCounters, later: NetworkCounters): { received: number; sent: number } {
  const seconds = (later.at - earlier.at) / 1000
  if (seconds <= 0) return { received: 0, sent: 0 }
  let received = 0
  let sent = 0
  for (const [name, now] of later.interfaces) {
    const before = earlier.interfaces.get(name)
    if (!before) continue
    received += Math.max(0, now.received - before.received)
    sent += Math.max(0, now.sent - before.sent)
  }
  return { received: Math.round(received / seconds), sent: Math.round(sent / seconds) }
}
