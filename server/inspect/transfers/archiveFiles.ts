import { FileError, type FileSource, type HostFiles } from '../../machines/hosts/files.ts'
import type { Programs } from '../machine/programs.ts'
import type { FilesProgress } from './filesProgress.ts'
import { endOfArchive, paddingOf, tarHeader } from './tarHeader.ts'
import { type WalkedEntry, walkFiles } from './walkFiles.ts'

/** Bytes that are read at a time. */
export const chunkBytes = 256 * 1024

/** The name of the file at the end of an archive that says what is not in it. */
export const leftOutName = 'LEFT-OUT.txt'

/** Why something that is no file, folder or link is left out. */
export const isNoFile = 'a pipe, a socket, a device, or a link that has gone'

interface Options {
  programs: Programs
  files: HostFiles
  /** From the root of the machine. */
  roots: readonly Buffer[]
  progress: FilesProgress
  /** Called before each chunk. @throws an error when the work may not go on */
  check: () => void
}

/**
 * A tar archive of files and folders, as it is read. What could not be read is noted, and said in a file at its end; it ends
 * with an error, and so without its end, when the machine goes.
 * @throws Silence, FileError, and what `check` throws
 */
export async function* archiveFiles({ programs, files, roots, progress, check }: Options): AsyncGenerator<Buffer> {
  async function* content(entry: WalkedEntry): AsyncGenerator<Buffer> {
    let source: FileSource | undefined
    try {
      source = await openSource(files, entry)
    } catch (error) {
      return progress.leaveOut(entry.path, reasonOf(error))
    }
    // What it has now: it may have grown since it was listed.
    const size = source?.size ?? 0
    yield tarHeader(entry, 'file', size)
    try {
      for (let done = 0; source && done < size; ) {
        check()
        const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, size - done))
        try {
          await source.read(chunk)
        } catch (error) {
          progress.leaveOut(entry.path, `from byte ${done} on: ${reasonOf(error)}`)
          for (const filling of zeros(size - done)) {
            check()
            yield filling
          }
          break
        }
        done += chunk.length
        progress.add(chunk.length)
        yield chunk
      }
    } finally {
      await source?.close()
    }
    yield paddingOf(size)
    progress.fileDone()
  }

  for await (const entry of walkFiles(programs, roots, progress.leaveOut)) {
    check()
    progress.at(entry.path)
    if (entry.kind === 'file') yield* content(entry)
    else if (entry.kind === 'folder') yield tarHeader(entry, 'folder')
    else if (entry.kind === 'link' && entry.target) yield tarHeader(entry, 'link')
    else progress.leaveOut(entry.path, isNoFile)
  }
  const text = Buffer.from(progress.leftOutText())
  if (text.length > 0) {
    const nobody = { id: 0, name: '' }
    const about = { relative: Buffer.from(leftOutName), mode: 0o644, modified: Math.floor(Date.now() / 1000) }
    yield tarHeader({ ...about, owner: nobody, group: nobody }, 'file', text.length)
    yield text
    yield paddingOf(text.length)
  }
  yield endOfArchive
}

/** Opens a file to read it; nothing for an empty one. @throws FileError */
export async function openSource(files: HostFiles, { path, size }: WalkedEntry): Promise<FileSource | undefined> {
  if (size === 0) return undefined
  try {
    return await files.open(path)
  } catch (error) {
    // It has been emptied meanwhile.
    if (error instanceof FileError && /requested file is empty$/.test(error.message)) return undefined
    throw error
  }
}

/** Why one file could not be read; that the machine has gone is thrown on. @throws error */
export function reasonOf(error: unknown): string {
  if (error instanceof FileError && !error.unavailable) return error.message
  throw error
}

function* zeros(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= chunkBytes) yield Buffer.alloc(Math.min(chunkBytes, left))
}
