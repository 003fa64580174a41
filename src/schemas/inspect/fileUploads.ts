import { z } from 'zod'
import { filePath, folderQuery } from './files.ts'

/** Of uploads and downloads that go on after a cut. */
export const resumeLimits = {
  /** Bytes of a block: what differs is sent again from the beginning of its block on. A multiple of 64 KiB. */
  blockBytes: 4 * 1024 * 1024,
  /** Blocks of one answer: a machine reads 256 MiB for it, within a minute. */
  blocks: 64,
  /** Bytes that are sent after a cut before they are joined to the part: a multiple of `blockBytes`. */
  restBytes: 512 * 1024 * 1024,
  /** Bytes that one program on a machine gives of a file's content; in base64 an agent passes on up to 1 MiB. */
  contentBytes: 720_896,
  /** Contents that one person reads at the same time. */
  contents: 4,
} as const

/** What tells the part of one upload from others in the same folder. */
export const uploadId = z.string().regex(/^[\da-f]{16}$/)

/** The name that the part of an upload has beside its target. What comes after a cut is written to `.rest` first. */
export const uploadPartName = (upload: string): string => `.wheelhouse-part-${upload}`

/** The name of a part, or of its rest. */
export const isUploadPartName = (name: string): boolean => /^\.wheelhouse-part-[\da-f]{16}(\.rest)?$/.test(name)

/** Of parts that are left in a folder: `.for` beside one says what it is a part of, and whose. */
export const leftPartLimits = {
  /** Parts of one answer. */
  parts: 200,
  /** Seconds without a change before a part counts as left: until then its upload may be under way. */
  quietSeconds: 3_600,
  /**
   * Days without a change after which the next upload into the folder removes a part, if the same user there has made it.
   * Browsers remember for a week what they can go on with.
   */
  days: 14,
  /** Bytes that are read of what `.for` says. */
  noteBytes: 1_024,
} as const

/** An upload that has to go on later: where it goes, and which part is its own. */
export const uploadOrder = z.object({ path: filePath, upload: uploadId })
export const uploadOpening = uploadOrder.extend({
  /** Bytes of the part that are right; what comes after them is removed. */
  keep: z.int().min(0).optional(),
})
export const uploadPlacing = uploadOrder.extend({
  /** Bytes of the whole file. */
  size: z.int().min(1),
})

/** The part of an upload, as it is on the machine. */
export const uploadPart = z.object({
  /** Bytes. */
  size: z.number(),
})

/** A part of an upload that nobody has gone on with for a while. */
export const leftPart = z.object({
  upload: uploadId,
  /** Bytes that have arrived. */
  size: z.number(),
  /** Seconds since the last of them came. */
  age: z.number(),
  /** As in a path: what the file is to be called. Left out where it is not known. */
  name: z.string().optional(),
  /** Who uploads it. Left out where it is not known. */
  person: z.string().optional(),
})
export type LeftPart = z.output<typeof leftPart>

/** How the file got its content: see `way` of `file.upload` in docs/decisions/uploads.md. */
export const placedUpload = z.object({ way: z.enum(['created', 'replaced', 'in place']) })
export type PlacedUpload = z.output<typeof placedUpload>

/** Which blocks of a file are asked about. */
export const blocksQuery = folderQuery.extend({
  /** The first one. */
  first: z.int().min(0).default(0),
  count: z.int().min(1).max(resumeLimits.blocks).default(resumeLimits.blocks),
})

/** The checksums of a file's blocks of 4 MiB, of which the last one may be shorter. */
export const fileBlocks = z.object({
  /** Bytes of the whole file. */
  size: z.number(),
  /** SHA-256 of each, as 64 hexadecimal digits. */
  sha256: z.array(z.string()),
})
export type FileBlocks = z.output<typeof fileBlocks>
