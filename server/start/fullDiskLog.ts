import { isDiskFullError } from '../db/storeError.ts'
import type { Log } from '../log.ts'

/** Milliseconds between two lines about a full disk. */
const pauseMs = 10 * 60_000

/**
 * A log that has one line in ten minutes about a full disk: every part of the server would write its own every few
 * seconds, with a stack, perhaps to the same disk.
 * @param now the clock, in milliseconds
 */
export function fullDiskLog(log: Log, now: () => number = () => performance.now()): Log {
  let nextAt = Number.NEGATIVE_INFINITY
  return {
    info: log.info,
    warn: log.warn,
    error(text, cause) {
      if (!isDiskFullError(cause)) return log.error(text, ...(cause === undefined ? [] : [cause]))
      if (now() < nextAt) return
      nextAt = now() + pauseMs
      log.error(
        `${text.replace(/[:.]+$/, '')}: the disk is full. Nothing can be saved until there is free space on it.`,
      )
    },
  }
}
