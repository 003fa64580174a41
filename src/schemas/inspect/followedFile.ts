import { z } from 'zod'
import { folderQuery } from './files.ts'

/** Of a file that is followed. */
export const followLimits = {
  /** Blocks of 4096 bytes in one answer: in base64 below what a program may print. */
  blocks: 176,
  /** Bytes of the end of a file that are read first, and when more than `behindBytes` have come meanwhile. */
  firstBytes: 262_144,
  behindBytes: 4_194_304,
  /** Bytes of a line whose end has not been written yet; a longer one is shown in parts. */
  lineBytes: 65_536,
} as const

/** Which file was read, and how far, as the answer before had it; left out for the end of the file. */
export const followQuery = folderQuery.extend({
  file: z
    .string()
    .regex(/^\d{1,20}:\d{1,20}$/)
    .optional(),
  offset: z.int().min(0).optional(),
})

export const followedFile = z.object({
  /** Device and inode: another one is another file of the same name. */
  file: z.string(),
  /** Bytes. */
  size: z.number(),
  /** To be sent with the next request. */
  offset: z.number(),
  /** Complete lines. */
  text: z.string(),
  /** The line at the end that is not complete yet; it comes again. */
  rest: z.string(),
  /** What has happened to the file since: another one has its name, or it was cut shorter. `text` is of what is there now. */
  change: z.enum(['replaced', 'shorter']).optional(),
  /** Bytes that were left out, because too much had come. At the beginning: those before the end of the file. */
  skipped: z.number().optional(),
  /** Whether more is there already. */
  more: z.boolean().optional(),
})
export type FollowedFile = z.output<typeof followedFile>
