import os from 'node:os'
import type { HostState } from '../../host.ts'
import type { Reader } from './counters.ts'
import { createLinuxDisks, type DiskSpace, type IsCounted, portableDisks } from './disks.ts'
import { type Gpus, NO_GPUS, refreshGpus } from './gpus.ts'
import { createLinuxReader } from './linuxReader.ts'
import { createPortableReader } from './portableReader.ts'
import { linuxTemperatures, portableTemperatures } from './sensors.ts'
import { type Slow, slow } from './slowReader.ts'

/** Disks fill slowly, and asking a sleeping one may wake it. */
const DISKS_EVERY_MS = 60_000
const TEMPERATURES_EVERY_MS = 10_000
const GPUS_EVERY_MS = 60_000
/** Without /sys a temperature starts a program. */
const PORTABLE_TEMPERATURES_EVERY_MS = 60_000

export interface SystemOptions {
  /** Where the kernel's figures are mounted: `/proc`. */
  proc: string
  /** `/sys` */
  sys: string
  isCounted: IsCounted
  /** Milliseconds of a monotonic clock. */
  now: () => number
  onError: (error: unknown) => void
}

/** The figures of the system this process runs on, moving and slow. */
export interface System {
  read: Reader
  disks: Slow<DiskSpace>
  temperatures: Slow<HostState['temperatures']>
  gpus: Slow<Gpus>
  /** Resolves when no refresh of a slow figure is under way. */
  idle(): Promise<void>
}

export function createSystem({ proc, sys, isCounted, now, onError }: SystemOptions): System {
  const isLinux = os.platform() === 'linux'
  const moving = isLinux
    ? { read: createLinuxReader({ proc, sys, now }), slows: [] }
    : createPortableReader({ now, onError })
  const disks = slow({
    initial: { total: 0, used: 0 },
    everyMs: DISKS_EVERY_MS,
    refresh: isLinux ? createLinuxDisks(proc, isCounted) : () => portableDisks(isCounted),
    now,
    onError,
  })
  const temperatures = slow<HostState['temperatures']>({
    initial: [],
    everyMs: isLinux ? TEMPERATURES_EVERY_MS : PORTABLE_TEMPERATURES_EVERY_MS,
    refresh: isLinux ? () => linuxTemperatures(sys) : portableTemperatures,
    now,
    onError,
  })
  const gpus = slow({ initial: NO_GPUS, everyMs: GPUS_EVERY_MS, refresh: refreshGpus, now, onError })
  const slows: Slow<unknown>[] = [...moving.slows, disks, temperatures, gpus]
  return {
    read: moving.read,
    disks,
    temperatures,
    gpus,
    idle: async () => {
      await Promise.all(slows.map((figure) => figure.idle()))
    },
  }
}
