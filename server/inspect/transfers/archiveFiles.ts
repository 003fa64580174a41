import { FileError, type FileSource, type HostFiles } from '../../machines/hosts/files.ts'
import type { Programs } from '../machine/programs.ts'
import type { FilesProgress } from './filesProgress.ts'
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

const blockBytes = 512
/** Bytes of the field of a name, and of that of the target of a link. */
const nameBytes = 100

/** Zero bytes up to the end of a block. */
export const paddingOf = (size: number): Buffer => Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)

/** Two blocks of zeros end an archive. */
export const endOfArchive = Buffer.alloc(2 * blockBytes)

const types = { file: '0', link: '2', folder: '5' } as const

/**
 * The header of an entry, in the format of GNU: its names are bytes of any number, which those of POSIX (`pax`) are not.
 * Everything that reads archives reads it.
 * @param size bytes of the content that follows; 0 for what is no file
 */
export function tarHeader(
  entry: Pick<WalkedEntry, 'relative' | 'mode' | 'modified' | 'owner' | 'group' | 'target'>,
  kind: keyof typeof types,
  size = 0,
): Buffer {
  const name = kind === 'folder' ? Buffer.concat([entry.relative, Buffer.from('/')]) : entry.relative
  const target = entry.target ?? Buffer.alloc(0)
  return Buffer.concat([
    ...(name.length > nameBytes ? longName('L', name) : []),
    ...(target.length > nameBytes ? longName('K', target) : []),
    block({ ...entry, name, target, type: types[kind], size }),
  ])
}

/** An entry of its own that says the name of the next one. */
function longName(type: 'L' | 'K', name: Buffer): Buffer[] {
  const content = Buffer.concat([name, Buffer.alloc(1)])
  const nobody = { id: 0, name: '' }
  const header = block({
    name: Buffer.from('././@LongLink'),
    target: Buffer.alloc(0),
    type,
    size: content.length,
    mode: 0,
    modified: 0,
    owner: nobody,
    group: nobody,
  })
  return [header, content, paddingOf(content.length)]
}

interface HeaderFields extends Pick<WalkedEntry, 'mode' | 'modified' | 'owner' | 'group'> {
  name: Buffer
  target: Buffer
  type: string
  size: number
}

function block({ name, target, type, size, mode, modified, owner, group }: HeaderFields): Buffer {
  const header = Buffer.alloc(blockBytes)
  name.copy(header, 0, 0, nameBytes)
  number(header, 100, 8, mode)
  number(header, 108, 8, owner.id)
  number(header, 116, 8, group.id)
  number(header, 124, 12, size)
  number(header, 136, 12, modified)
  // The checksum is counted with spaces in its own place.
  header.write('        ', 148)
  header.write(type, 156)
  target.copy(header, 157, 0, nameBytes)
  header.write('ustar  \0', 257)
  header.write(owner.name.slice(0, 31), 265, 'latin1')
  header.write(group.name.slice(0, 31), 297, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/**
 * In octal digits and a zero byte; a number that has too many of them, or is below zero, in binary, behind a byte that says so.
 */
function number(header: Buffer, at: number, length: number, value: number): void {
  const digits = value.toString(8)
  if (value >= 0 && digits.length < length) {
    header.write(digits.padStart(length - 1, '0'), at)
    return
  }
  header[at] = value < 0 ? 0xff : 0x80
  for (let place = at + length - 1, rest = value; place > at; place -= 1, rest = Math.floor(rest / 256)) {
    header[place] = ((rest % 256) + 256) % 256
  }
}
