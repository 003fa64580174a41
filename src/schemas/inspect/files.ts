import { z } from 'zod'

/** Of one request about files. */
export const fileLimits = {
  /** Bytes of a path; the kernel takes no longer ones. */
  path: 4096,
  /** Paths in one order. */
  paths: 500,
  /** Bytes of all paths of one order together. */
  allPaths: 65_536,
  /** Seconds that an order may take on the machine; agents run nothing for longer than 300. */
  seconds: 280,
  /** Seconds for counting and searching. */
  readSeconds: 60,
  /** Bytes of a part of a file that is read to be looked at. */
  partBytes: 65_536,
  /** Files that a search finds. */
  found: 1000,
} as const

/**
 * From the root. Bytes that are no UTF-8 are written as in a `file:` URL: `%ff`, and `%25` for a percent sign. A byte
 * takes three characters at most.
 */
export const filePath = z
  .string()
  .min(1)
  .max(fileLimits.path * 3)
export const filePaths = z.array(filePath).min(1).max(fileLimits.paths)

export const fileKinds = ['file', 'folder', 'link', 'pipe', 'socket', 'device'] as const
export type FileKind = (typeof fileKinds)[number]

/** What is in a folder. */
export const fileItem = z.object({
  /** As in a path: `%ff` is a byte that is no UTF-8. */
  name: z.string(),
  kind: z.enum(fileKinds),
  /** What a link leads to; left out when that is not there. */
  target: z.enum(fileKinds).optional(),
  /** Bytes. */
  size: z.number(),
  /** ISO 8601: when it was last changed. */
  modified: z.string().optional(),
  /** Octal, four digits: `0644`. */
  mode: z.string(),
  /** Names, or numbers where the machine knows none. */
  owner: z.string(),
  group: z.string(),
})
export type FileItem = z.output<typeof fileItem>

export const folderQuery = z.object({ path: filePath })

/** Where a part of a file begins, in bytes. */
export const filePartQuery = folderQuery.extend({ offset: z.int().min(0).default(0) })

/** A part of a file, of `fileLimits.partBytes` at most. */
export const filePart = z.object({
  /** Bytes of the whole file; 0 for files of the kernel too. */
  size: z.number(),
  offset: z.number(),
  /** In base64; nothing from the end of the file on. */
  data: z.string(),
})
export type FilePart = z.output<typeof filePart>

export const measureOrder = z.object({ paths: filePaths })

/** How much there is in files and folders, with everything below them. Links are not followed. */
export const measured = z.object({
  /** How many, without folders. */
  files: z.int(),
  /** How many, with those that were named. */
  folders: z.int(),
  /** Of the content of all files. */
  bytes: z.number(),
})
export type Measured = z.output<typeof measured>

export const createOrder = z.object({ path: filePath, kind: z.enum(['file', 'folder']) })

export const foldersOrder = z.object({ paths: filePaths })

/** Each to a path of its own, in the order given. Existing files are replaced only with `overwrite`, folders never. */
export const transferOrder = z.object({
  items: z
    .array(z.object({ from: filePath, to: filePath }))
    .min(1)
    .max(fileLimits.paths),
  overwrite: z.boolean().optional(),
})
export type TransferOrder = z.output<typeof transferOrder>

/** Of one folder, into an archive that is not there yet. */
export const packOrder = z.object({ paths: filePaths, to: filePath, format: z.enum(['tar.gz', 'zip']) })

/** Into a folder that is not there yet. By the ending: `.zip`, `.tar`; anything else is `tar.gz`. */
export const unpackOrder = z.object({ path: filePath, to: filePath })

/** Files and folders below `path`, on the same file system. */
export const fileSearchQuery = folderQuery.extend({
  /** A part of the name, in upper or lower case. */
  name: z.string().max(255).optional(),
  /** What is in the file; only files of up to 8 MiB are read. */
  text: z.string().max(255).optional(),
})
export const foundFile = z.object({
  /** From the folder on. */
  path: z.string(),
})
export type FoundFile = z.output<typeof foundFile>

export const folderSize = z.object({
  name: z.string(),
  /** On the disk, with everything below it. */
  bytes: z.number(),
})
export type FolderSize = z.output<typeof folderSize>

export const checksumQuery = folderQuery.extend({
  /** How many bytes from the beginning; left out: all of them. */
  bytes: z.int().min(0).optional(),
})
export const fileChecksum = z.object({ sha256: z.string() })

export const deleteOrder = z.object({ paths: filePaths })

/** The name or the number of a user or a group. */
const accountName = z.string().regex(/^[\w][\w.@\\-]{0,63}\$?$/)

export const rightsOrder = z
  .object({
    paths: filePaths,
    /** Octal: `644`, `2755`. */
    mode: z
      .string()
      .regex(/^[0-7]{3,4}$/)
      .optional(),
    owner: accountName.optional(),
    group: accountName.optional(),
    /** Whether all that is below a folder gets the same. */
    recursive: z.boolean().optional(),
  })
  .refine(({ mode, owner, group }) => mode ?? owner ?? group, { error: 'mode, owner or group is needed' })

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
