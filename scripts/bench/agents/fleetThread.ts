import { setPriority } from 'node:os'
import { createHistogram } from 'node:perf_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import { SimulatedAgent, simulatedUuid } from './simulatedAgent.ts'

export interface FleetThreadOptions {
  port: number
  /** The agent secret of a user. */
  secret: string
  /** The number of its first agent, and how many it has. */
  first: number
  count: number
  /** In how many milliseconds they connect. */
  rampMs: number
  /** How many are online now, and how many tasks they have answered; the parent reads both. */
  counters: Int32Array<SharedArrayBuffer>
}

/** How readily this thread leaves the processors to others, from -20 to 19. */
const givesWay = 10

// The server is measured, not the simulation: with the same right to the processors, many threads would starve it.
// Without a process that it names, Linux takes the thread that asks.
setPriority(givesWay)

const { first, count, rampMs, counters, ...server } = workerData as FleetThreadOptions

/** How long receipts took, in microseconds. Sent to another thread, it remains one and the same. */
const waits = createHistogram()
parentPort?.postMessage(waits)

for (let index = first; index < first + count; index++) {
  const agent = new SimulatedAgent({
    ...server,
    everyMs: 2000,
    reconnectMs: 10_000,
    uuid: simulatedUuid(index),
    ipv4: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    onOnline: (change) => Atomics.add(counters, 0, change),
    onReceipt: (waitedMs) => waits.record(Math.max(1, Math.round(waitedMs * 1000))),
    onTask: () => Atomics.add(counters, 1, 1),
  })
  setTimeout(() => agent.start(), ((index - first) / count) * rampMs)
}
