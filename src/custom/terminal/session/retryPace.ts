/** Milliseconds between two attempts to connect again; the last one is repeated. */
const delaysMs = [0, 1_000, 2_000, 4_000, 8_000]

/** When a lost connection is tried again, and for how long. */
export class RetryPace {
  #attempts = 0
  #until = 0

  /** The connection was lost now. @param minutes for which the server holds the shell */
  begin(minutes = 0): void {
    this.#attempts = 0
    this.#until = performance.now() + minutes * 60_000
  }

  isOver(): boolean {
    return performance.now() > this.#until
  }

  /** Milliseconds until the next attempt. */
  nextDelay(): number {
    this.#attempts += 1
    return delaysMs[Math.min(this.#attempts, delaysMs.length) - 1] as number
  }
}
