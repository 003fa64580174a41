import { z } from 'zod'

/** A line of the journal, or of a file below /var/log. */
export const logLine = z.object({
  /** ISO 8601; lines of files begin with their own. */
  at: z.string().optional(),
  /** 0 (emergency) to 7 (debug). */
  priority: z.int().optional(),
  unit: z.string().optional(),
  /** The program. */
  identifier: z.string().optional(),
  pid: z.int().optional(),
  message: z.string(),
})
export type LogLine = z.output<typeof logLine>

/** A file below /var/log. */
export const logFile = z.object({
  path: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Seconds since 1970. */
  changed_at: z.int(),
})

/** What tells the place of a line: a cursor of the journal, or bytes of a file. */
const place = z.string().max(1000)

/** Which lines are wanted: the last ones of those that fit. */
export const logQuery = z.object({
  /** A file below /var/log in place of the journal. */
  file: z.string().optional(),
  unit: z.string().optional(),
  /** This priority and more urgent ones. */
  priority: z.int().min(0).max(7).optional(),
  /** Seconds since 1970. */
  since: z.int().optional(),
  until: z.int().optional(),
  /** What a line contains, in letters of any case. */
  text: z.string().max(200).optional(),
  lines: z.int().min(1).max(2000).optional(),
  /** Only lines before this place: `earlier` of an answer to the same question. */
  before: place.optional(),
})
