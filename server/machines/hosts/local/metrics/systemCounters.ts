/**
 * Counters of the system at one moment. Times and traffic are totals since boot, because rates need two readings.
 * What could not be read is 0.
 */
export interface SystemCounters {
  /** Milliseconds of a monotonic clock. */
  at: number
  cpu: CpuTimes
  /** Bytes. */
  memory: { total: number; used: number; swapTotal: number; swapUsed: number }
  network: NetworkCounters
  /** Over 1, 5 and 15 minutes. */
  load: [number, number, number]
  /** Seconds. */
  uptime: number
  /** Seconds since 1970. */
  bootTime: number
  /** TCP sockets in use. */
  tcp: number
  /** UDP sockets in use. */
  udp: number
  processes: number
}

/** Time used by all processors since boot, in any unit. */
export interface CpuTimes {
  busy: number
  total: number
}

export interface NetworkCounters {
  /** Milliseconds of the same clock. Outside Linux the network is read less often than the rest. */
  at: number
  /** Bytes since boot, by interface. */
  interfaces: ReadonlyMap<string, { received: number; sent: number }>
}

/** @throws Error when nothing at all could be read */
export type CounterReader = () => SystemCounters
