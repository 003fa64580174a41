/** One look at the system's counters: raw, because rates need two of them. What could not be read is 0. */
export interface Reading {
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
  tcp: number
  udp: number
  processes: number
}

/** Time spent by all processors since boot, in any unit. */
export interface CpuTimes {
  busy: number
  total: number
}

export interface NetworkCounters {
  /** Milliseconds of the same clock: elsewhere than on Linux the counters are read more rarely than the rest. */
  at: number
  /** Bytes since boot, by interface. */
  interfaces: ReadonlyMap<string, { received: number; sent: number }>
}

/** Takes a look; throws when nothing at all could be read. */
export type Reader = () => Reading
