import { askSafely } from '../concurrency/askSafely.ts'
import type { Log } from '../log.ts'
import type { Caller } from './tools/tool.ts'
import { cancelledFailure, ToolFailure } from './tools/toolFailure.ts'

/**
 * Calls of tools that run at the same time: a program may run for five minutes, and each holds an answer in memory. One
 * person, who may have a hundred tokens, leaves three quarters of them to others.
 */
const maxRunning = { perToken: 8, perPerson: 16, total: 64 }
/** Milliseconds between two looks whether the running calls are still allowed. */
const watchMs = 250

/** The calls under way, and what ends them early. */
export interface RunningCalls {
  /**
   * Runs a call, which has to end with its signal. A call counts for its token and for the owner of that.
   * @param problem why it must not begin or go on; asked again while it runs
   * @throws ToolFailure of `problem`, or when too many run
   */
  run<T>(
    person: CallingPerson,
    problem: () => ToolFailure | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Ends all running calls. */
  stop(failure: ToolFailure): void
}

type CallingPerson = Caller['person']

interface RunningCall {
  person: CallingPerson
  problem: () => ToolFailure | undefined
  controller: AbortController
}

export function createRunningCalls(log: Pick<Log, 'error'>): RunningCalls {
  const running = new Set<RunningCall>()
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    for (const { problem, controller } of [...running]) {
      const text = 'Whether a call of a tool may go on could not be found out; it was ended:'
      const failure = askSafely(problem, { fallback: cancelledFailure(), log, failure: text })
      if (failure) controller.abort(failure)
    }
  }

  function refuseBeyondLimits({ id, token }: CallingPerson): void {
    const own = [...running].filter(({ person }) => person.id === id)
    const ofToken = own.filter(({ person }) => person.token.id === token.id)
    if (ofToken.length >= maxRunning.perToken) throw tooMany('of this token', maxRunning.perToken)
    if (own.length >= maxRunning.perPerson) throw tooMany('of one person', maxRunning.perPerson)
    if (running.size >= maxRunning.total) throw tooMany('in all', maxRunning.total)
  }

  return {
    async run(person, problem, work) {
      const failure = problem()
      if (failure) throw failure
      refuseBeyondLimits(person)
      const call: RunningCall = { person, problem, controller: new AbortController() }
      running.add(call)
      timer ??= setInterval(check, watchMs).unref()
      try {
        return await work(call.controller.signal)
      } finally {
        running.delete(call)
        if (running.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
    stop(failure) {
      for (const { controller } of [...running]) controller.abort(failure)
    },
  }
}

const tooMany = (whose: string, limit: number) =>
  new ToolFailure('too_many', `too many calls are running: at most ${limit} ${whose} at the same time; try again later`)
