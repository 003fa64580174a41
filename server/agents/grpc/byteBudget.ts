/** Bytes that may be held at the same time. */
export interface ByteBudget {
  /** Counts `bytes` more, unless that is too many. @returns whether they were counted */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

export function createByteBudget(max: number): ByteBudget {
  let held = 0
  return {
    take(bytes) {
      if (held + bytes > max) return false
      held += bytes
      return true
    },
    giveBack(bytes) {
      held -= bytes
    },
  }
}
