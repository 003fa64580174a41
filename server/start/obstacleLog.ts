import { isCrowded, type WriteObstacle, writeObstacle } from '../db/storeError.ts'
import type { Log } from '../log.ts'

/** Milliseconds between two lines about one obstacle. */
const pauseMs = 10 * 60_000

const sentences: Readonly<Record<WriteObstacle | 'crowded', string>> = {
  full: 'the disk is full. Nothing can be saved until there is free space on it.',
  away: 'the database cannot be reached. Nothing can be saved until it can.',
  crowded: 'the database takes less than is to be saved. Some of it is refused until there is room.',
  busy: 'another program holds the database. Nothing can be saved until it is done, or is ended.',
}

/**
 * A log that has one line in ten minutes about a full disk, and one about another program that holds the database: every
 * part of the server would write its own every few seconds, with a stack, perhaps to the same disk.
 * @param now the clock, in milliseconds
 */
export function obstacleLog(log: Log, now: () => number = () => performance.now()): Log {
  const nextAt = new Map<keyof typeof sentences, number>()
  return {
    info: log.info,
    warn: log.warn,
    error(text, cause) {
      const obstacle = isCrowded(cause) ? 'crowded' : writeObstacle(cause)
      if (!obstacle) return log.error(text, ...(cause === undefined ? [] : [cause]))
      if (now() < (nextAt.get(obstacle) ?? Number.NEGATIVE_INFINITY)) return
      nextAt.set(obstacle, now() + pauseMs)
      log.error(`${text.replace(/[:.]+$/, '')}: ${sentences[obstacle]}`)
    },
  }
}
