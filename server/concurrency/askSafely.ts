import type { Log } from '../log.ts'

interface AskOptions<Answer> {
  /** What is done without an answer. */
  fallback: Answer
  log: Pick<Log, 'error'>
  /** The sentence of the log for an error. */
  failure: string
}

/**
 * Asks for something that timers and events of sockets have to know, such as whether a person may go on. An error, as
 * when the database cannot be read, goes to the log: thrown out of a timer or an event it would end the process.
 */
export function askSafely<Answer>(ask: () => Answer, { fallback, log, failure }: AskOptions<Answer>): Answer {
  try {
    return ask()
  } catch (error) {
    log.error(failure, error)
    return fallback
  }
}
