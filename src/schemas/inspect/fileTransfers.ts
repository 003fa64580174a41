import { z } from 'zod'
import { filePath, filePaths } from './files.ts'

/** Of transfers of files that the server carries out. */
export const transferLimits = {
  /** Transfers from machine to machine that run: for each person, and in all. */
  running: { perPerson: 1, total: 8 },
  /** Those that wait or run of one person, so that others find a place; those that wait of everybody, and milliseconds for which. */
  openPerPerson: 50,
  waiting: 200,
  waitMs: 24 * 3_600_000,
  /** Archives of one person that are downloaded at the same time. */
  archives: 4,
  /** Milliseconds in which the download of an archive has to begin. */
  startMs: 60_000,
  /** Transfers of one person that are remembered when they are over, and milliseconds for which they are. */
  remembered: 20,
  rememberedMs: 3_600_000,
  /** Things that were left out and are told by name, characters of their paths, and of each reason. */
  notes: 200,
  shownPath: 1024,
  reason: 500,
} as const

export const archiveFormats = ['tar', 'tar.gz'] as const
export const archiveOrder = z.object({ paths: filePaths, format: z.enum(archiveFormats) })

/** What happens to files that are there already. `refuse`: nothing is copied over them, and it is said. */
export const conflictRules = ['refuse', 'overwrite', 'skip'] as const

/** Into a folder of another machine. Folders that are there already are filled up. */
export const sendOrder = z.object({
  paths: filePaths,
  to_server: z.int().positive(),
  /** The folder; it is made when it is not there. */
  to: filePath,
  conflicts: z.enum(conflictRules).optional(),
})

export const transferStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const

/** A transfer that the server carries out, as its person sees it. */
export const fileTransfer = z.object({
  id: z.string(),
  /** `archive`: to the browser. `send`: to another machine. */
  kind: z.enum(['archive', 'send']),
  state: z.enum(transferStates),
  server_id: z.int(),
  server_name: z.string(),
  to_server_id: z.int().optional(),
  to_server_name: z.string().optional(),
  /** The folder on the other machine, for reading. */
  to: z.string().optional(),
  /** What is first in the order, for reading, and of how many. */
  name: z.string(),
  count: z.int(),
  files: z.int(),
  bytes: z.number(),
  /** Bytes of all of it, as counted at the beginning; left out while that is not known. */
  total_bytes: z.number().optional(),
  /** What is being moved. */
  current: z.string(),
  /** How many things were left out; the first of them, with reasons. */
  left_out: z.int(),
  notes: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** How the content was compared on the other machine. */
  verified: z.enum(['sha256', 'size']).optional(),
  /** Why it failed. */
  error: z.string().optional(),
  created_at: z.string(),
})
export type FileTransfer = z.output<typeof fileTransfer>
