/** What one key, such as a token, may use up in a window of time. */
interface RateLimit {
  most: number
  ms: number
}

/** Calls of one token: of any method, malformed ones too (docs/contract/MCP.md#2-order-of-the-checks). */
const ofToken: readonly RateLimit[] = [
  { most: 10, ms: 1000 },
  { most: 120, ms: 60_000 },
]
/** Calls of one person with all of their tokens, of which they may have a hundred: what five of them may do. */
const ofPerson: readonly RateLimit[] = [{ most: 600, ms: 60_000 }]
/** Bytes of bodies of one person: reading them takes about a twentieth of a processor, and holding them this much memory. */
const bytesOfPerson: readonly RateLimit[] = [{ most: 128 * 1024 ** 2, ms: 60_000 }]
/** Keys that are remembered; beyond it those are forgotten whose windows are over. */
const maxKeys = 1000

/** How often programs call, and how much they send. */
export interface CallRate {
  /**
   * Counts a call.
   * @param bytes of its body, as announced; 0 where its length is not said
   * @returns whether it is still within all limits
   */
  take(caller: { tokenId: number; personId: number }, bytes: number): boolean
  /** Counts bytes that have come of a body whose length was not said. @returns whether they are within the limit */
  takeBytes(personId: number, bytes: number): boolean
}

/** @param now the clock, in milliseconds since 1970 */
export function createCallRate(now: () => number): CallRate {
  const takeOfToken = createWindows(ofToken, now)
  const takeOfPerson = createWindows(ofPerson, now)
  const takeBytes = createWindows(bytesOfPerson, now)
  return {
    take({ tokenId, personId }, bytes) {
      // A refused call counts as well, in each of them.
      const isWithin = [takeOfToken(tokenId, 1), takeOfPerson(personId, 1), takeBytes(personId, bytes)]
      return isWithin.every((is) => is)
    },
    takeBytes,
  }
}

interface Window {
  start: number
  used: number
}

/** Fixed windows, which start with the first use of a key. */
function createWindows(limits: readonly RateLimit[], now: () => number): (key: number, amount: number) => boolean {
  const byKey = new Map<number, Window[]>()

  function forgetOld(): void {
    for (const [key, windows] of byKey) if (windows.every((window, at) => isOver(window, at))) byKey.delete(key)
  }

  // The clock may have been set back.
  const isOver = ({ start }: Window, at: number) => Math.abs(now() - start) >= (limits[at]?.ms ?? 0)

  return (key, amount) => {
    if (byKey.size >= maxKeys) forgetOld()
    const windows = byKey.get(key) ?? limits.map(() => ({ start: now(), used: 0 }))
    byKey.set(key, windows)
    for (const [at, window] of windows.entries()) {
      if (isOver(window, at)) Object.assign(window, { start: now(), used: 0 })
      window.used += amount
    }
    return windows.every(({ used }, at) => used <= (limits[at]?.most ?? 0))
  }
}
