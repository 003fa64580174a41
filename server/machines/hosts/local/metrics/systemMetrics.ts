import os from 'node:os'
import type { HostState } from '../../host.ts'
import { type CachedMetric, createCachedMetric } from './cachedMetric.ts'
import { createLinuxReader, createPortableReader } from './counterReaders.ts'
import { createLinuxDiskReader, type DiskSpace, type IsCounted, readPortableDisks } from './disks.ts'
import { type Gpus, NO_GPUS, refreshGpus } from './gpus.ts'
import type { CounterReader } from './systemCounters.ts'
import { readLinuxTemperatures, readPortableTemperatures } from './temperatures.ts'

/** Disks fill slowly, and reading a sleeping one may wake it. */
const DISKS_EVERY_MS = 60_000
const TEMPERATURES_EVERY_MS = 10_000
const GPUS_EVERY_MS = 60_000
/** Without /sys, each reading starts a program. */
const PORTABLE_TEMPERATURES_EVERY_MS = 60_000

export interface SystemMetricsOptions {
  /** Where /proc is mounted. */
  proc: string
  /** Where /sys is mounted. */
  sys: string
  isCounted: IsCounted
  /** A monotonic clock in milliseconds. */
  now: () => number
  onError: (error: unknown) => void
}

/** The metrics of the system this process runs on: counters are read with each call, the rest is cached. */
export interface SystemMetrics {
  readCounters: CounterReader
  disks: CachedMetric<DiskSpace>
  temperatures: CachedMetric<HostState['temperatures']>
  gpus: CachedMetric<Gpus>
  /** Resolves when no cached metric is being refreshed. */
  idle(): Promise<void>
}

export function createSystemMetrics({ proc, sys, isCounted, now, onError }: SystemMetricsOptions): SystemMetrics {
  const isLinux = os.platform() === 'linux'
  const counters = isLinux
    ? { read: createLinuxReader({ proc, sys, now }), cachedMetrics: [] }
    : createPortableReader({ now, onError })
  const disks = createCachedMetric({
    initial: { total: 0, used: 0 },
    everyMs: DISKS_EVERY_MS,
    refresh: isLinux ? createLinuxDiskReader(proc, isCounted) : () => readPortableDisks(isCounted),
    now,
    onError,
  })
  const temperatures = createCachedMetric<HostState['temperatures']>({
    initial: [],
    everyMs: isLinux ? TEMPERATURES_EVERY_MS : PORTABLE_TEMPERATURES_EVERY_MS,
    refresh: isLinux ? () => readLinuxTemperatures(sys) : readPortableTemperatures,
    now,
    onError,
  })
  const gpus = createCachedMetric({ initial: NO_GPUS, everyMs: GPUS_EVERY_MS, refresh: refreshGpus, now, onError })
  const cachedMetrics: CachedMetric<unknown>[] = [...counters.cachedMetrics, disks, temperatures, gpus]
  return {
    readCounters: counters.read,
    disks,
    temperatures,
    gpus,
    idle: async () => {
      await Promise.all(cachedMetrics.map((metric) => metric.idle()))
    },
  }
}
