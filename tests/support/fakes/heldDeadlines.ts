import { onTestFinished, vi } from 'vitest'

/** Deadlines by `AbortSignal.timeout` that do not pass until a test says so. */
export interface HeldDeadlines {
  /** The milliseconds of each, in order. */
  given: number[]
  /** Lets all of them pass. */
  pass(): void
}

/** So that neither does a test wait for a deadline, nor does the deadline pass before what it is about has happened. */
export function holdDeadlines(): HeldDeadlines {
  const controller = new AbortController()
  const given: number[] = []
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    given.push(ms)
    return controller.signal
  })
  onTestFinished(() => spy.mockRestore())
  return { given, pass: () => controller.abort(new DOMException('The time is up.', 'TimeoutError')) }
}
