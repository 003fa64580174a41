import { once } from 'node:events'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FleetThreadOptions } from './fleetThread.ts'

/** Simulated agents in threads of their own. */
export interface Fleet {
  /** How many have a receipt of their present connection. */
  online(): number
  /** Waits until so many are online. @returns the milliseconds that it took */
  untilOnline(count: number): Promise<number>
  /** Since it was last called: tasks that were answered, and how long receipts took, in microseconds. */
  take(): { tasks: number; waits: RecordableHistogram }
  /** Ends the agents, or one half of them, at once and without a word. */
  stop(half?: boolean): Promise<void>
}

/** More than this many agents in one thread would make it the bottleneck. */
const perThread = 1250
const onlineTimeoutMs = 120_000

/** @param options with `first`, the number of its first agent, where another fleet has those before */
export async function startFleet({
  first: start = 0,
  ...options
}: Pick<FleetThreadOptions, 'port' | 'secret' | 'count' | 'rampMs'> & { first?: number }): Promise<Fleet> {
  const counters = new Int32Array(new SharedArrayBuffer(8))
  const threads: Worker[] = []
  const histograms: RecordableHistogram[] = []
  for (let begun = 0; begun < options.count; begun += perThread) {
    const count = Math.min(perThread, options.count - begun)
    const workerData: FleetThreadOptions = { ...options, first: start + begun, count, counters }
    const thread = new Worker(new URL('fleetThread.ts', import.meta.url), { workerData })
    threads.push(thread)
    histograms.push((await once(thread, 'message'))[0])
  }
  const online = () => Atomics.load(counters, 0)
  return {
    online,
    async untilOnline(count) {
      const start = performance.now()
      while (online() < count) {
        if (performance.now() - start > onlineTimeoutMs) throw new Error(`Only ${online()} agents are online.`)
        await wait(200)
      }
      return performance.now() - start
    },
    take() {
      const waits = createHistogram()
      for (const histogram of histograms) {
        waits.add(histogram)
        histogram.reset()
      }
      return { tasks: Atomics.exchange(counters, 1, 0), waits }
    },
    async stop(half = false) {
      await Promise.all(threads.splice(0, half ? threads.length / 2 : threads.length).map((one) => one.terminate()))
    },
  }
}
