import { z } from 'zod'
import { filePath } from './files.ts'

/** A file system that is mounted. Sizes are bytes. */
const filesystem = z.object({
  kind: z.literal('filesystem'),
  /** Where it is mounted. */
  name: z.string(),
  device: z.string(),
  type: z.string().optional(),
  options: z.string().optional(),
  size: z.number(),
  used: z.number(),
  /** What programs without the rights of root may still take. */
  free: z.number(),
  inodes: z.number().optional(),
  inodes_used: z.number().optional(),
})

/** A disk, and what SMART says about it where smartctl is installed and may ask. */
const device = z.object({
  kind: z.literal('device'),
  name: z.string(),
  model: z.string().optional(),
  serial: z.string().optional(),
  size: z.number().optional(),
  is_rotating: z.boolean().optional(),
  transport: z.string().optional(),
  /** Whether SMART finds the disk healthy. */
  healthy: z.boolean().optional(),
  /** Degrees Celsius. */
  temperature: z.number().optional(),
  hours: z.number().optional(),
  /** Sectors. */
  reallocated: z.number().optional(),
  /** Percent of the life of a solid-state disk. */
  worn: z.number().optional(),
})

/** Disks that work as one: md, ZFS or btrfs. */
const raid = z.object({
  kind: z.literal('raid'),
  name: z.string(),
  type: z.string(),
  /** The system's word: `active raid1 [UU]`, `ONLINE`, `DEGRADED`. */
  state: z.string(),
  is_degraded: z.boolean(),
  /** What goes on: `recovery = 12.6%`. */
  activity: z.string().optional(),
})

export const diskItem = z.discriminatedUnion('kind', [filesystem, device, raid])
export type DiskItem = z.output<typeof diskItem>
export type FilesystemItem = z.output<typeof filesystem>

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

export const hardwareKinds = ['system', 'cpu', 'memory', 'sensor', 'gpu', 'ups'] as const

/** One fact about the hardware, in the words of the program that tells it. */
export const hardwareItem = z.object({
  kind: z.enum(hardwareKinds),
  /** What it is about, where there are several: a module, a chip. */
  part: z.string().optional(),
  name: z.string(),
  value: z.string(),
})
export type HardwareItem = z.output<typeof hardwareItem>
