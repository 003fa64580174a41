/** Calls of one token: of any method, malformed ones too (docs/contract/MCP.md#2-order-of-the-checks). */
const limits = [
  { calls: 10, ms: 1000 },
  { calls: 120, ms: 60_000 },
] as const
/** Tokens that are remembered; beyond it those are forgotten whose windows are over. */
const maxTokens = 1000

/** Fixed windows, which start with the first call of a token. */
export interface CallRate {
  /** Counts a call. @returns whether it is still within the limits */
  take(tokenId: number): boolean
}

interface Window {
  start: number
  calls: number
}

/** @param now the clock, in milliseconds since 1970 */
export function createCallRate(now: () => number): CallRate {
  const byToken = new Map<number, Window[]>()

  function forgetOld(): void {
    for (const [id, windows] of byToken) if (windows.every((window, at) => isOver(window, at))) byToken.delete(id)
  }

  const isOver = ({ start }: Window, at: number) => Math.abs(now() - start) >= (limits[at]?.ms ?? 0)

  return {
    take(tokenId) {
      if (byToken.size >= maxTokens) forgetOld()
      const windows = byToken.get(tokenId) ?? limits.map(() => ({ start: now(), calls: 0 }))
      byToken.set(tokenId, windows)
      for (const [at, window] of windows.entries()) {
        // The clock may have been set back.
        if (isOver(window, at)) Object.assign(window, { start: now(), calls: 0 })
        window.calls++
      }
      return windows.every(({ calls }, at) => calls <= (limits[at]?.calls ?? 0))
    },
  }
}
