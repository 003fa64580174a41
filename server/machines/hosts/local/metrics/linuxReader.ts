import { existsSync, readdirSync } from 'node:fs'
import { countedInterfaces } from './networkInterfaces.ts'
import {
  countProcesses,
  parseLoadavg,
  parseMeminfo,
  parseNetDev,
  parseSockstat,
  parseStat,
  parseUptime,
} from './procFiles.ts'
import { readProcFile } from './readSystemFile.ts'
import type { CounterReader, NetworkCounters } from './systemCounters.ts'

interface LinuxReaderOptions {
  /** Where /proc is mounted. */
  proc: string
  /** Where /sys is mounted. */
  sys: string
  /** A monotonic clock in milliseconds. */
  now: () => number
}

/** Reads the counters of a Linux machine from /proc, without starting a program. */
export function createLinuxReader({ proc, sys, now }: LinuxReaderOptions): CounterReader {
  const filterInterfaces = createInterfaceFilter(sys)
  return () => {
    const at = now()
    const [stat, meminfo, loadavg] = ['stat', 'meminfo', 'loadavg'].map((name) => readProcFile(`${proc}/${name}`))
    if (!stat && !meminfo && !loadavg) {
      throw new Error(`No metrics of this machine can be read below ${proc}. Check that it is mounted and readable.`)
    }
    return {
      at,
      ...parseStat(stat ?? ''),
      memory: parseMeminfo(meminfo ?? '', readProcFile(`${proc}/spl/kstat/zfs/arcstats`)),
      network: { at, interfaces: filterInterfaces(parseNetDev(readProcFile(`${proc}/net/dev`))) },
      load: parseLoadavg(loadavg ?? ''),
      uptime: parseUptime(readProcFile(`${proc}/uptime`)),
      ...parseSockstat(readProcFile(`${proc}/net/sockstat`), readProcFile(`${proc}/net/sockstat6`)),
      processes: processCount(proc),
    }
  }
}

function processCount(proc: string): number {
  try {
    return countProcesses(readdirSync(proc))
  } catch {
    // Not readable, as in some containers.
    return 0
  }
}

/** Drops interfaces that are not counted. Looks for hardware in /sys only when the names have changed. */
function createInterfaceFilter(sys: string): (all: NetworkCounters['interfaces']) => NetworkCounters['interfaces'] {
  let lastNames: string | undefined
  let counted = new Set<string>()
  return (all) => {
    const names = [...all.keys()].join(' ')
    if (names !== lastNames) {
      counted = countedInterfaces(all.keys(), (name) => existsSync(`${sys}/class/net/${name}/device`))
      lastNames = names
    }
    return new Map([...all].filter(([name]) => counted.has(name)))
  }
}
