import type { AuditLine } from './auditLine.ts'

/** Lines that wait for the file. Those that cannot be written, as on a full disk, are written with a later one. */
export interface WaitingLines {
  add(line: AuditLine): void
  /** Writes what waits, if anything. Never throws. */
  flush(): void
}

/** The lines that wait for space; the oldest are dropped, and a line says how many. */
export const maxWaiting = 1_000

interface Options {
  /** Takes all of a text or, when it throws, nothing. */
  append: (text: string) => void
  /** Called for the first of several failed writes in a row. */
  onFailure: (error: unknown) => void
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

export function createWaitingLines({ append, onFailure, now }: Options): WaitingLines {
  /** As they are written: each failure would make a thousand of them anew. */
  const waiting: string[] = []
  let dropped = 0
  let hasFailed = false

  function flush(): void {
    if (waiting.length === 0) return
    const at = new Date(now()).toISOString()
    const gap = dropped > 0 ? textOf({ at, action: 'audit.lost', detail: { lines: dropped } }) : ''
    try {
      append(gap + waiting.join(''))
      waiting.length = 0
      dropped = 0
      hasFailed = false
    } catch (error) {
      // A full disk must neither stop the recorded action nor fill the operator's log.
      if (!hasFailed) onFailure(error)
      hasFailed = true
    }
  }

  return {
    flush,
    add(line) {
      waiting.push(textOf(line))
      if (waiting.length > maxWaiting) {
        waiting.shift()
        dropped++
      }
      flush()
    },
  }
}

const textOf = (line: AuditLine) => `${JSON.stringify(line)}\n`
