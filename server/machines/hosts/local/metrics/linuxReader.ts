import { existsSync, readdirSync } from 'node:fs'
import type { NetworkCounters, Reader } from './counters.ts'
import { countedInterfaces } from './interfaces.ts'
import {
  countProcesses,
  parseLoadavg,
  parseMeminfo,
  parseNetDev,
  parseSockstat,
  parseStat,
  parseUptime,
} from './procText.ts'
import { readProcText } from './readText.ts'

interface LinuxReaderOptions {
  /** Where the kernel's figures are mounted: `/proc`. */
  proc: string
  /** `/sys` */
  sys: string
  /** Milliseconds of a monotonic clock. */
  now: () => number
}

/** Reads the moving figures of a Linux machine, without a process of its own for any of them. */
export function createLinuxReader({ proc, sys, now }: LinuxReaderOptions): Reader {
  const outerInterfaces = createInterfaceFilter(sys)
  return () => {
    const at = now()
    const [stat, meminfo, loadavg] = ['stat', 'meminfo', 'loadavg'].map((name) => readProcText(`${proc}/${name}`))
    if (!stat && !meminfo && !loadavg) {
      throw new Error(`No figures of this machine can be read below ${proc}. Check that it is mounted and readable.`)
    }
    return {
      at,
      ...parseStat(stat ?? ''),
      memory: parseMeminfo(meminfo ?? ''),
      network: { at, interfaces: outerInterfaces(parseNetDev(readProcText(`${proc}/net/dev`))) },
      load: parseLoadavg(loadavg ?? ''),
      uptime: parseUptime(readProcText(`${proc}/uptime`)),
      ...parseSockstat(readProcText(`${proc}/net/sockstat`), readProcText(`${proc}/net/sockstat6`)),
      processes: processCount(proc),
    }
  }
}

function processCount(proc: string): number {
  try {
    return countProcesses(readdirSync(proc))
  } catch {
    // A masked folder, as for the texts: the figure is left out.
    return 0
  }
}

/** Keeps the outer interfaces; asks for their hardware only when the set of names has changed. */
function createInterfaceFilter(sys: string): (all: NetworkCounters['interfaces']) => NetworkCounters['interfaces'] {
  let namesBefore: string | undefined
  let counted = new Set<string>()
  return (all) => {
    const names = [...all.keys()].join(' ')
    if (names !== namesBefore) {
      counted = countedInterfaces(all.keys(), (name) => existsSync(`${sys}/class/net/${name}/device`))
      namesBefore = names
    }
    return new Map([...all].filter(([name]) => counted.has(name)))
  }
}
