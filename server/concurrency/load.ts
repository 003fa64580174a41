import type { Log } from '../log.ts'
import { createWorkQueue, type WorkQueue } from './workQueue.ts'

/** Whether this server can do what it is asked for in time (docs/guides/scale.md). */
export interface Load {
  /** What agents want: people come before it. */
  readonly agentWork: WorkQueue
  /** Milliseconds: how late this server was at most within the last 15 seconds, with timers or with the work of agents. */
  lateMs(): number
  /** Whether it has been late for seconds. Said in the log when it begins and ends. */
  isOverloaded(): boolean
  start(): void
  stop(): void
}

interface LoadOptions {
  log: Log
  /** The clock, in milliseconds. */
  now?: () => number
}

/** Milliseconds between two looks. */
const lookMs = 500
/** How many looks are remembered: 15 seconds, which is longer than agents may be silent. */
const lookCount = 30
/** Late by so many milliseconds at each of the last looks is too much; less at all that are remembered is enough. */
const tooLate = { ms: 1000, looks: 6 } as const

export function createLoad({ log, now = () => performance.now() }: LoadOptions): Load {
  const agentWork = createWorkQueue({ now, onError: (error) => log.error('Work for an agent failed:', error) })
  /** Milliseconds that the server was late, the latest last. */
  let looks: number[] = []
  /** The largest of them. */
  let latest = 0
  let lookedAt = now()
  let overloadedSince: number | undefined
  let timer: NodeJS.Timeout | undefined

  /** Also right after a pause, when other timers come before this one. */
  const lateNow = () => Math.max(0, timer ? now() - lookedAt - lookMs : 0, agentWork.waitedMs())

  function look(): void {
    looks = [...looks, lateNow()].slice(-lookCount)
    latest = Math.max(...looks)
    lookedAt = now()
    const last = looks.slice(-tooLate.looks)
    if (overloadedSince === undefined) {
      if (last.length < tooLate.looks || last.some((ms) => ms < tooLate.ms)) return
      overloadedSince = lookedAt
      log.warn(
        `There is more to do than this server can: agents wait ${seconds(Math.max(...last))} for their receipts. ` +
          'People come first; checks begin later, and new agents wait (docs/guides/scale.md).',
      )
    } else if (looks.every((ms) => ms < tooLate.ms)) {
      log.info(`This server is in time again, after ${seconds(lookedAt - overloadedSince)}.`)
      overloadedSince = undefined
    }
  }

  return {
    agentWork,
    lateMs: () => Math.max(lateNow(), latest),
    isOverloaded: () => overloadedSince !== undefined,
    start() {
      lookedAt = now()
      timer ??= setInterval(look, lookMs).unref()
    },
    stop() {
      clearInterval(timer)
      agentWork.close()
    },
  }
}

const seconds = (ms: number) => `${Math.max(1, Math.round(ms / 1000))} s`
