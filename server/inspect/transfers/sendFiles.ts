import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import type { sendOrder } from '../../../src/schemas/inspect/fileTransfers.ts'
import { FileError, type FileSink, type HostFiles } from '../../machines/hosts/files.ts'
import { type Programs, Silence } from '../machine/programs.ts'
import { pathBytesArgument } from '../subjects/filePaths.ts'
import { chunkBytes, isNoFile, openSource, reasonOf } from './archiveFiles.ts'
import type { FilesProgress } from './filesProgress.ts'
import { listFolder } from './listFolder.ts'
import { partOf, placeFile, placeFolder, placeLink, placePrivatePart, removePart } from './placeFile.ts'
import { type WalkedEntry, walkFiles } from './walkFiles.ts'

/** The bits of a mode with which a machine makes new files. */
const readableByAll = 0o044

/** One end of a transfer. */
export interface TransferEnd {
  programs: Programs
  files: HostFiles
}

interface Options {
  from: TransferEnd
  to: TransferEnd
  roots: readonly Buffer[]
  /** The folder, without a slash at its end. */
  folder: Buffer
  conflicts: NonNullable<z.output<typeof sendOrder>['conflicts']>
  progress: FilesProgress
  /** Called before each chunk and before each file gets its name. @throws an error when the work may not go on */
  check: () => void
}

/** The error that ends a whole transfer, and not only one file. */
const endsAll = (error: unknown) =>
  error instanceof Silence
    ? error.silence !== 'failed'
    : !(error instanceof FileError) || error.unavailable !== undefined

/**
 * Copies files and folders to another machine, through this server. Each file is written beside its place, compared, and
 * only then gets its name; while one piece is written, the next one is read. What cannot be copied is noted.
 * @returns how the files were compared; nothing without files
 * @throws Silence, FileError, and what `check` throws
 */
export async function sendFiles(options: Options): Promise<'sha256' | 'size' | undefined> {
  const { from, to, roots, folder, conflicts, progress, check } = options
  let verified: 'sha256' | 'size' | undefined
  /** Folders on the other machine, by path: the names in them before anything came there, or nothing for new ones. */
  const known = new Map<string, ReadonlySet<string> | undefined>()
  const key = (path: Buffer) => path.toString('latin1')

  async function enter(path: Buffer, mode?: number): Promise<void> {
    // Only those on the way down are needed.
    for (const other of known.keys())
      if (!`${key(path)}/`.startsWith(other === '/' ? other : `${other}/`)) known.delete(other)
    const before = await namesIn(to.programs, path, mode === undefined)
    if (!before) await placeFolder(to.programs, path, mode)
    known.set(key(path), before)
  }

  /** @returns whether the entry was placed */
  async function place(entry: WalkedEntry, path: Buffer, overwrite: boolean): Promise<boolean> {
    if (entry.kind === 'link' && entry.target) await placeLink(to.programs, path, entry.target, overwrite)
    else if (entry.kind === 'file') {
      const way = await sendFile(entry, path, overwrite)
      verified = verified === 'size' ? verified : way
    } else return false
    return true
  }

  async function sendFile(entry: WalkedEntry, path: Buffer, overwrite: boolean): Promise<'sha256' | 'size'> {
    const source = await openSource(from.files, entry)
    const size = source?.size ?? 0
    const part = partOf(path)
    const hash = createHash('sha256')
    let sink: FileSink | undefined
    let isPlaced = false
    try {
      if (source) {
        if ((entry.mode & readableByAll) !== readableByAll) await placePrivatePart(to.programs, part)
        sink = await to.files.beginUpload(part, size)
        let reading: Promise<Buffer> | undefined = readChunk(0)
        for (let done = 0; reading; ) {
          const chunk: Buffer = await reading
          check()
          done += chunk.length
          reading = done < size ? readChunk(done) : undefined
          // Awaited in its turn; until then it is nobody's fault.
          reading?.catch(() => {})
          hash.update(chunk)
          await sink.write([chunk])
          progress.add(chunk.length)
        }
        await sink.finish()
        sink = undefined
      }
      check()
      const placed = { to: path, part, size, sha256: hash.digest('hex'), overwrite }
      const way = await placeFile(to.programs, placed, entry)
      isPlaced = true
      return way
    } finally {
      await sink?.abort()
      await source?.close()
      // A machine that has gone cannot be told.
      if (!isPlaced) await removePart(to.programs, part).catch(() => {})
    }

    async function readChunk(done: number): Promise<Buffer> {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - done))
      await source?.read(chunk)
      return chunk
    }
  }

  await enter(folder)
  /** A folder that could not be made; what is in it would be noted one by one. */
  let blocked: Buffer | undefined
  for await (const entry of walkFiles(from.programs, roots, progress.leaveOut)) {
    check()
    progress.at(entry.path)
    const path = Buffer.concat([folder.length > 1 ? folder : Buffer.alloc(0), Buffer.from('/'), entry.relative])
    if (blocked && path.subarray(0, blocked.length).equals(blocked)) continue
    blocked = undefined
    if (Math.max(path.length, partOf(path).length) > fileLimits.path) {
      progress.leaveOut(entry.path, `its path there would have more than ${fileLimits.path} bytes`)
      if (entry.kind === 'folder') blocked = inside(path)
      continue
    }
    const parent = known.get(key(path.subarray(0, Math.max(1, path.lastIndexOf('/')))))
    const isThere = parent?.has(key(entry.name)) === true
    try {
      if (entry.kind === 'folder') await enter(path, entry.mode)
      else if (isThere && conflicts !== 'overwrite') {
        if (conflicts === 'refuse') progress.leaveOut(entry.path, 'it is already there')
      } else if (await place(entry, path, isThere)) progress.fileDone()
      else progress.leaveOut(entry.path, isNoFile)
    } catch (error) {
      if (endsAll(error)) throw error
      progress.leaveOut(entry.path, error instanceof Silence ? error.message : reasonOf(error))
      if (entry.kind === 'folder') blocked = inside(path)
    }
  }
  return verified
}

/** What all paths of what is in a folder begin with. */
const inside = (folder: Buffer) => Buffer.concat([folder, Buffer.from('/')])

/** The names in a folder, one character a byte; nothing when it is not there, or cannot be listed. @throws Silence */
async function namesIn(programs: Programs, path: Buffer, mayBeLink: boolean): Promise<ReadonlySet<string> | undefined> {
  try {
    const { entries } = await listFolder(programs, pathBytesArgument(path), { mayBeLink })
    return new Set(entries.map(({ name }) => name.toString('latin1')))
  } catch (error) {
    if (error instanceof Silence && error.silence === 'failed') return undefined
    throw error
  }
}
