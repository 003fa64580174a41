/** Bytes that may be held at the same time. */
export interface ByteBudget {
  /** Counts `bytes` more, unless that is too many. @returns whether they were counted */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

export const createByteBudget = (max: number): ByteBudget => new Budget(max)

/** A class, because each connection has one. */
class Budget implements ByteBudget {
  readonly #max: number
  #held = 0

  constructor(max: number) {
    this.#max = max
  }

  take(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false
    this.#held += bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#held -= bytes
  }
}
