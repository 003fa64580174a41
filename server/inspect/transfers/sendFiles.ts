import { createHash, randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import type { sendOrder } from '../../../src/schemas/inspect/fileTransfers.ts'
import { FileError, type FileSink, type HostFiles } from '../../machines/hosts/files.ts'
import { failure, type Programs, Silence } from '../machine/programs.ts'
import { bytesArgument, pathBytesArgument, readPaths } from '../subjects/filePaths.ts'
import { chunkBytes, isNoFile, openSource, reasonOf } from './archiveFiles.ts'
import type { FilesProgress } from './filesProgress.ts'
import { listFolder, type WalkedEntry, walkFiles } from './walkFiles.ts'

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

/** Seconds that a machine may take to read a large file again, to compare it. */
const seconds = fileLimits.seconds

/** @throws Silence with the words of the machine */
async function run(programs: Programs, script: string, args: readonly string[]): Promise<string> {
  const { exit_code, stdout, stderr } = await programs.script(`${readPaths}${script}`, args, { seconds })
  if (exit_code !== 0) throw failure(stderr || stdout)
  return stdout.trim()
}

/** A name beside a file for what is not complete. */
const partOf = (path: Buffer): Buffer => {
  const folder = path.subarray(0, path.lastIndexOf('/') + 1)
  return Buffer.concat([folder, Buffer.from(`.wheelhouse-upload-${randomBytes(8).toString('hex')}`)])
}

/** What is in the way of `$2`, unless it may be replaced, which `$1` says. */
const inTheWay = `
if [ -d "$2" ] && [ ! -L "$2" ]; then echo 'a folder has this name there' >&2; exit 1; fi
if [ "$1" != overwrite ] && { [ -e "$2" ] || [ -L "$2" ]; }; then echo 'it is already there' >&2; exit 1; fi
`

const placeScript = `${inTheWay}
to=$2 part=$3 size=$4 sum=$5 mode=$6 modified=$7
if [ "$size" = 0 ]; then : > "$part" || exit 1; fi
found=$(stat -c %s "$part") || exit 1
if [ "$found" != "$size" ]; then echo "$found of $size bytes have arrived" >&2; exit 1; fi
way=size
if command -v sha256sum >/dev/null 2>&1; then
  found=$(sha256sum < "$part") || exit 1
  if [ "\${found%% *}" != "$sum" ]; then echo 'the checksum differs' >&2; exit 1; fi
  way=sha256
fi
chmod "$mode" "$part" || exit 1
touch -m -d "@$modified" "$part" 2>/dev/null
if [ -L "$to" ]; then rm -f -- "$to" || exit 1; fi
mv -f -- "$part" "$to" && echo "$way"
`

export interface Placed {
  to: Buffer
  part: Buffer
  /** Bytes that were sent. */
  size: number
  /** Of these bytes, in hexadecimal digits. */
  sha256: string
  overwrite: boolean
}

/**
 * Compares what has arrived, gives it mode and date, and then its name.
 * @returns how it was compared
 * @throws Silence; the file with the name is as it was then
 */
async function placeFile(
  programs: Programs,
  { to, part, size, sha256, overwrite }: Placed,
  { mode, modified }: Pick<WalkedEntry, 'mode' | 'modified'>,
): Promise<'sha256' | 'size'> {
  // Whom it runs as is another user there.
  const bits = (mode & 0o777).toString(8).padStart(4, '0')
  const args = [
    overwrite ? 'overwrite' : 'keep',
    pathBytesArgument(to),
    pathBytesArgument(part),
    String(size),
    sha256,
    bits,
    String(modified),
  ]
  try {
    return (await run(programs, placeScript, args)) === 'sha256' ? 'sha256' : 'size'
  } catch (error) {
    // Only this file is too large for it.
    if (error instanceof Silence && error.silence === 'timeout')
      throw failure(`${seconds} s were not enough to compare it`)
    throw error
  }
}

const privateScript = `
umask 077
set -C
: > "$1"
`

/** Makes an empty part that nobody else may read, before what nobody else may read is written into it. @throws Silence */
const placePrivatePart = (programs: Programs, part: Buffer) => run(programs, privateScript, [pathBytesArgument(part)])

/** What is not complete goes away. @throws Silence */
const removePart = (programs: Programs, part: Buffer) =>
  run(programs, 'exec rm -f -- "$1"\n', [pathBytesArgument(part)])

const folderScript = `
if [ -n "$2" ] && [ -L "$1" ]; then echo 'a link has this name there' >&2; exit 1; fi
if [ -d "$1" ]; then exit 0; fi
if [ -e "$1" ] || [ -L "$1" ]; then echo 'a file has this name there' >&2; exit 1; fi
mkdir -p -- "$1" || exit 1
if [ -n "$2" ]; then chmod "$2" "$1"; fi
`

/**
 * Makes a folder where there is none.
 * @param mode left out for the folder that the person chose: it is made as the machine makes them, and may be a link to one. A
 *   link below it may lead out of it
 * @throws Silence
 */
const placeFolder = (programs: Programs, to: Buffer, mode?: number) =>
  run(programs, folderScript, [
    pathBytesArgument(to),
    // Its owner has to be able to fill it.
    mode === undefined ? '' : ((mode & 0o777) | 0o700).toString(8).padStart(4, '0'),
  ])

const linkScript = `${inTheWay}
ln -s -- "$4" "$3" || exit 1
if [ -L "$2" ]; then rm -f -- "$2"; fi
mv -f -- "$3" "$2" || { rm -f -- "$3"; exit 1; }
`

/** Makes a link. @param target where it leads to, as bytes @throws Silence */
const placeLink = (programs: Programs, to: Buffer, target: Buffer, overwrite: boolean): Promise<string> =>
  run(programs, linkScript, [
    overwrite ? 'overwrite' : 'keep',
    pathBytesArgument(to),
    pathBytesArgument(partOf(to)),
    bytesArgument(target),
  ])
