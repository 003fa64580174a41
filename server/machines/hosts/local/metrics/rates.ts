import type { CpuTimes, NetworkCounters, SystemCounters } from './systemCounters.ts'

export interface Rates {
  /** Percent, 0 to 100. */
  cpu: number
  /** Bytes per second. */
  received: number
  /** Bytes per second. */
  sent: number
}

/** The kernel counts processor time in steps of 10 ms, so that a shorter span would be too inaccurate. */
export const MIN_SPAN_MS = 250

/**
 * Returns a function that calculates rates since the previous counters. Counters less than MIN_SPAN_MS after the
 * previous ones are skipped: the last rates are returned.
 */
export function createRates(): (counters: SystemCounters) => Rates {
  let cpuBase: Pick<SystemCounters, 'at' | 'cpu'> | undefined
  let networkBase: NetworkCounters | undefined
  const rates: Rates = { cpu: 0, received: 0, sent: 0 }
  return (counters) => {
    if (!cpuBase || counters.at - cpuBase.at >= MIN_SPAN_MS) {
      if (cpuBase) rates.cpu = cpuPercent(cpuBase.cpu, counters.cpu)
      cpuBase = counters
    }
    if (!networkBase || counters.network.at - networkBase.at >= MIN_SPAN_MS) {
      if (networkBase) Object.assign(rates, networkSpeeds(networkBase, counters.network))
      networkBase = counters.network
    }
    return { ...rates }
  }
}

/** Processor use in percent; 0 when no time has passed or the counters went backwards, as after a resume. */
export function cpuPercent(earlier: CpuTimes, later: CpuTimes): number {
  const total = later.total - earlier.total
  if (total <= 0) return 0
  return Math.min(100, Math.max(0, (100 * (later.busy - earlier.busy)) / total))
}

/**
 * Bytes per second, rounded. Calculated per interface: one that appears, disappears or resets its counters adds 0,
 * where the difference of sums would be a peak or a negative speed.
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
