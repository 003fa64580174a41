import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import type { Answer, Order } from './simulate.ts'

/** Agents in processes of their own. */
export interface SimulatedFleet {
  /** What happened since it was last called. */
  ask(): Promise<Answer>
  /** Waits until so many are online. @returns the milliseconds that it took */
  online(count: number, timeoutMs: number): Promise<number>
  stop(): void
  /** Ends one half of them at once, without a word. */
  stopHalf(): void
}

/** More than this many agents in one process would make it the bottleneck. */
const perProcess = 1250
/** How readily they leave the processors to others, from -20 to 19. */
const givesWay = 10

/** @param rampMs in which time they connect */
export function startFleet(at: { port: number; secret: string; count: number; rampMs: number }): SimulatedFleet {
  const { count, ...rest } = at
  const processes: ChildProcess[] = []
  for (let first = 0; first < count; first += perProcess) {
    const child = fork(join(import.meta.dirname, 'simulate.ts'))
    // The server is measured, not the simulation: with the same right to the processors, many processes would starve it.
    if (child.pid) setPriority(child.pid, givesWay)
    child.send({ kind: 'start', ...rest, first, count: Math.min(perProcess, count - first) } satisfies Order)
    processes.push(child)
  }

  async function ask(): Promise<Answer> {
    const answers = await Promise.all(
      processes.map(async (child) => {
        child.send({ kind: 'ask' } satisfies Order)
        return (await once(child, 'message'))[0] as Answer
      }),
    )
    const sum = (of: (answer: Answer) => number) => answers.reduce((total, answer) => total + of(answer), 0)
    const length = Math.max(...answers.map(({ waits }) => waits.length))
    return {
      online: sum(({ online }) => online),
      receipts: sum(({ receipts }) => receipts),
      tasks: sum(({ tasks }) => tasks),
      waits: Array.from({ length }, (_, slot) => sum(({ waits }) => waits[slot] ?? 0)),
    }
  }

  return {
    ask,
    async online(expected, timeoutMs) {
      const start = performance.now()
      for (;;) {
        const { online } = await ask()
        if (online >= expected) return performance.now() - start
        if (performance.now() - start > timeoutMs) throw new Error(`Only ${online} of ${expected} agents are online.`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
    },
    stop() {
      for (const child of processes) child.disconnect()
    },
    stopHalf() {
      for (const child of processes.splice(0, processes.length / 2)) child.disconnect()
    },
  }
}
