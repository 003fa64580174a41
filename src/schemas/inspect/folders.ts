import { z } from 'zod'
import { filePath } from './files.ts'

/** A folder with everything below it, on one file system. */
export const folderUsage = z.object({ path: z.string(), size: z.number() })
export type FolderUsage = z.output<typeof folderUsage>

/** Of one request for the largest folders. */
export const folderLimits = {
  /** Folders of an answer, the largest ones, and how deep they are below the one that was named. */
  folders: 100,
  depth: 4,
  /** Seconds that counting takes at most; then those are shown that were counted. */
  seconds: 100,
} as const

/** Where the file system is mounted, or any folder. */
export const foldersQuery = z.object({ path: filePath })
