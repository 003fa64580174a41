import { monitorEventLoopDelay } from 'node:perf_hooks'

interface ProcessUse {
  /** Bytes. */
  memory: NodeJS.MemoryUsage
  cpuSeconds: number
  /** Milliseconds since 1970. */
  startedAt: number
  /** Seconds for which the event loop was late, since the last call. */
  eventLoop: { p50: number; p99: number; max: number }
}

/** Measures this process. */
export interface ProcessMeter {
  /** The event loop is watched from the first call on: it costs nothing while nobody reads the metrics. */
  read(): ProcessUse
  stop(): void
}

/** Milliseconds between two looks at the event loop. */
const resolutionMs = 20

export function createProcessMeter(): ProcessMeter {
  const startedAt = Date.now() - process.uptime() * 1000
  let histogram: ReturnType<typeof monitorEventLoopDelay> | undefined

  function readEventLoop(): ProcessUse['eventLoop'] {
    if (!histogram) {
      histogram = monitorEventLoopDelay({ resolution: resolutionMs })
      histogram.enable()
    }
    // What is measured is the time between two looks. Before the second one there is nothing.
    const late = (nanoseconds: number) => (histogram?.count ? Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000) : 0)
    const { max } = histogram
    const read = { p50: late(histogram.percentile(50)), p99: late(histogram.percentile(99)), max: late(max) }
    histogram.reset()
    return read
  }

  return {
    read() {
      const { user, system } = process.cpuUsage()
      return {
        memory: process.memoryUsage(),
        cpuSeconds: (user + system) / 1e6,
        startedAt,
        eventLoop: readEventLoop(),
      }
    },
    stop: () => void histogram?.disable(),
  }
}
