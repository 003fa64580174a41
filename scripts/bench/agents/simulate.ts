import { SimulatedAgent, simulatedUuid } from './simulatedAgent.ts'

/** What the parent process asks for: to start agents, or to report on them. */
export type Order =
  | { kind: 'start'; port: number; secret: string; first: number; count: number; rampMs: number }
  | { kind: 'ask' }

/** Since the last answer. */
export interface Answer {
  online: number
  receipts: number
  tasks: number
  /** How many receipts took so many milliseconds; the last entry: as many or more. */
  waits: number[]
}

/** Waits of this many milliseconds and more are counted together. */
const mostMs = 20_000

/** Simulated agents in a process of their own, on the orders of its parent. */
const agents: SimulatedAgent[] = []
let receipts = 0
let tasks = 0
let waits: number[] = []

process.on('message', (order: Order) => {
  if (order.kind === 'start') start(order)
  else answer()
})
process.on('disconnect', () => process.exit(0))

function start({ port, secret, first, count, rampMs }: Order & { kind: 'start' }): void {
  for (let index = first; index < first + count; index++) {
    const agent = new SimulatedAgent({
      ...{ port, secret, everyMs: 2000, reconnectMs: 10_000 },
      uuid: simulatedUuid(index),
      ipv4: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
      onReceipt(waitedMs) {
        receipts += 1
        const slot = Math.min(mostMs, Math.floor(waitedMs))
        waits[slot] = (waits[slot] ?? 0) + 1
      },
      onTask() {
        tasks += 1
      },
    })
    agents.push(agent)
    setTimeout(() => agent.start(), ((index - first) / count) * rampMs)
  }
}

function answer(): void {
  const online = agents.filter((agent) => agent.receipts > 0).length
  process.send?.({ online, receipts, tasks, waits: Array.from(waits, (count) => count ?? 0) } satisfies Answer)
  receipts = 0
  tasks = 0
  waits = []
}
