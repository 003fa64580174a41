import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { errorCode } from '../../../src/domain/errors.ts'
import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import { failure, notInstalled, type Programs, Silence } from '../machine/programs.ts'
import { pathBytesArgument as argumentOf, readPaths } from '../subjects/filePaths.ts'

/** An entry on the way through a folder. */
export interface WalkedEntry extends FolderEntry {
  /** From the root of the machine. */
  path: Buffer
  /** From the folder in which the walk began: `site/img/logo.png`. */
  relative: Buffer
}

/** Notes what could not be taken along, and why. */
export type LeaveOut = (path: Uint8Array, reason: string) => void

/**
 * How deep folders may lie in each other; the kernel takes no longer paths anyway. And how many entries the folders on one way
 * down may have together, which are in memory.
 */
const most = { depth: 512, entries: 300_000 } as const

const slash = Buffer.from('/')
const joined = (folder: Buffer, name: Buffer) =>
  folder.length === 0 || folder.at(-1) === slash[0]
    ? Buffer.concat([folder, name])
    : Buffer.concat([folder, slash, name])

/**
 * Files and folders with all that is in them, on the file system on which each begins. A folder comes before what is in it,
 * and is listed when its turn comes, so that memory holds the lists of the folders on one way down.
 * @param roots from the root of the machine, without a slash at the end
 * @param leaveOut called with what is not walked, and why
 * @throws Silence when the machine has gone, and does not answer any more
 */
export async function* walkFiles(
  programs: Programs,
  roots: readonly Buffer[],
  leaveOut: LeaveOut,
): AsyncGenerator<WalkedEntry> {
  /** @returns nothing for what cannot be listed, which is noted */
  async function entriesOf(folder: Buffer, name?: Buffer): Promise<FolderEntry[]> {
    const path = name ? joined(folder, name) : folder
    try {
      const argument = name && argumentOf(joined(slash, name)).slice(1)
      // A link that has taken the place of a folder meanwhile leads elsewhere; above what was chosen it is on the way.
      const which = { name: argument, mayBeLink: name !== undefined }
      const { entries, complaint } = await listFolder(programs, argumentOf(folder), which)
      if (complaint) leaveOut(path, complaint)
      else if (name && entries.length === 0) leaveOut(path, 'not there')
      return entries
    } catch (error) {
      if (!(error instanceof Silence) || error.silence !== 'failed') throw error
      leaveOut(path, error.message)
      return []
    }
  }

  async function* inside(folder: WalkedEntry, depth: number, held: number): AsyncGenerator<WalkedEntry> {
    if (depth > most.depth) return leaveOut(folder.path, 'too deep')
    const entries = await entriesOf(folder.path)
    const count = held + entries.length
    if (count > most.entries) return leaveOut(folder.path, 'too many entries in it and the folders above it')
    for (const entry of entries) {
      const walked = { ...entry, path: joined(folder.path, entry.name), relative: joined(folder.relative, entry.name) }
      if (walked.path.length > fileLimits.path) {
        leaveOut(walked.path, `its path has more than ${fileLimits.path} bytes`)
        continue
      }
      if (entry.kind === 'folder' && entry.device !== folder.device) {
        leaveOut(walked.path, 'another file system')
        continue
      }
      yield walked
      if (entry.kind === 'folder') yield* inside(walked, depth + 1, count)
    }
  }

  for (const root of roots) {
    const at = root.lastIndexOf(slash)
    const [folder, name] = [at === 0 ? slash : root.subarray(0, at), root.subarray(at + 1)]
    const [entry] = await entriesOf(folder, name)
    if (!entry) continue
    const walked = { ...entry, path: root, relative: name, name }
    yield walked
    if (entry.kind === 'folder') yield* inside(walked, 0, 0)
  }
}

/** An entry of a folder, for somebody who takes it elsewhere. */
interface FolderEntry {
  name: Buffer
  kind: 'file' | 'folder' | 'link' | 'special'
  /** Bytes. */
  size: number
  /** The bits of the mode below the type. */
  mode: number
  /** Seconds since 1970. */
  modified: number
  /** With its name, one character a byte. */
  owner: { id: number; name: string }
  group: { id: number; name: string }
  /** The file system that it is on. */
  device: string
  /** Where a link leads to. */
  target?: Buffer
}

export interface ListedFolder {
  entries: FolderEntry[]
  /** What was said about entries that could not be looked at. */
  complaint?: string
}

/**
 * What GNU and busybox both print: records of three parts that end with a slash, which no name has. Then the links, each with
 * its name, a slash, and as many bytes as its size says. Compressed, because a program may print 1 MiB. `$2` is a name, or
 * nothing for all of them. With `$3`, a link to a folder is none: it may have taken the place of one.
 */
const script = `${readPaths}
if [ "$3" = itself ] && [ -L "$1" ]; then echo 'it is a link, and no folder' >&2; exit 1; fi
cd -- "$1" || exit 1
command -v base64 >/dev/null && command -v gzip >/dev/null || { echo 'base64 or gzip is not installed' >&2; exit 1; }
stat -c %s . >/dev/null || exit 127
{
  if [ -n "$2" ]; then stat -c '%f %s %Y %d %u %g %U %G/%n/' "./$2"
  else find . -mindepth 1 -maxdepth 1 -exec stat -c '%f %s %Y %d %u %g %U %G/%n/' {} +; fi
} | gzip -c | base64
echo -
{
  if [ -n "$2" ]; then set -- "./$2"; [ ! -L "$1" ] || { printf '%s/' "\${1#./}"; readlink "$1"; }
  else find . -mindepth 1 -maxdepth 1 -type l -exec sh -c 'for l; do printf "%s/" "\${l#./}"; readlink "$l"; done' sh {} +; fi
} 2>/dev/null | gzip -c | base64
`

/**
 * Entries of one folder, and bytes of their list when it is uncompressed: what an honest machine can put into 1 MiB, and little
 * enough that a machine that lies does not fill the memory.
 */
const mostListed = { entries: 200_000, bytes: 32 * 1024 * 1024 } as const
const tooMany = () => failure('this folder has too many entries')
const uncompress = promisify(gunzip)

interface Which {
  /** As `pathArgument` makes it: only the entry of this name. */
  name?: string
  /** Whether the path may be a link to the folder. */
  mayBeLink: boolean
}

/**
 * All entries of a folder, or one of them.
 * @param path an argument, as `pathArgument` makes it
 * @throws Silence
 */
export async function listFolder(
  programs: Programs,
  path: string,
  { name = '', mayBeLink }: Which,
): Promise<ListedFolder> {
  const args = [path, name, mayBeLink ? '' : 'itself']
  const result = await programs.script(script, args, { seconds: fileLimits.readSeconds })
  const { stdout, stderr, exit_code, stdout_truncated } = result
  if (exit_code === 127) throw notInstalled('stat')
  if (exit_code !== 0) throw failure(stderr)
  if (stdout_truncated) throw tooMany()
  const [known = '', links = ''] = stdout.split('\n-\n')
  const entries = parseEntries(await textOf(known))
  setTargets(entries, await textOf(links))
  const complaint = stderr.trim().split('\n').at(-1)?.trim()
  return { entries, ...(complaint && { complaint }) }
}

/** One character a byte. @throws Silence for what is too long, or not compressed */
async function textOf(encoded: string): Promise<string> {
  const bytes = Buffer.from(encoded.replace(/\s/g, ''), 'base64')
  if (bytes.length === 0) return ''
  try {
    return (await uncompress(bytes, { maxOutputLength: mostListed.bytes })).toString('latin1')
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooMany()
    throw failure('its list of this folder is damaged')
  }
}

/** By the first of the four hexadecimal digits of the mode. */
const kinds: Readonly<Record<string, FolderEntry['kind']>> = { 4: 'folder', 8: 'file', a: 'link' }

/** Nothing else: a machine may say anything. */
const whole = (text = '') => (/^-?\d{1,15}$/.test(text) ? Number(text) : 0)

/** A part of a text keeps all of it in memory. An archive has room for 31 bytes. */
const copied = (name: string) => Buffer.from(name.slice(0, 31), 'latin1').toString('latin1')

/**
 * What a machine says must not lead out of the folder, nor name two things alike: a folder behind a link of the same name would
 * be written to where the link leads.
 * @throws Silence
 */
function parseEntries(text: string): FolderEntry[] {
  const entries: FolderEntry[] = []
  const names = new Set(['', '.', '..'])
  for (let at = 0; ; ) {
    const about = text.indexOf('/', at)
    // Before the name is that of the folder, which is a dot.
    const dot = text.indexOf('/', about + 1)
    const end = text.indexOf('/', dot + 1)
    if (about < 0 || dot < 0 || end < 0) return entries
    const [known, name] = [text.slice(at, about), text.slice(dot + 1, end)]
    at = end + 1
    const [mode = '', size, modified, device = '', uid, gid, owner = '', group = ''] = known.trim().split(' ')
    if (!/^[\da-f]{4}$/.test(mode) || names.has(name) || !isPath(name)) continue
    if (entries.length === mostListed.entries) throw tooMany()
    names.add(name)
    entries.push({
      name: Buffer.from(name, 'latin1'),
      kind: kinds[mode.charAt(0)] ?? 'special',
      size: Math.max(0, whole(size)),
      mode: Number.parseInt(mode, 16) & 0o7777,
      modified: whole(modified),
      owner: { id: Math.max(0, whole(uid)), name: copied(owner) },
      group: { id: Math.max(0, whole(gid)), name: copied(group) },
      device: copied(device),
    })
  }
}

/** Whether it can be a part of a path, or one, one character a byte. */
const isPath = (text: string) => text.length > 0 && text.length <= fileLimits.path && !text.includes('\0')

/** Links that have gone, or changed meanwhile, stay without a target. */
function setTargets(entries: readonly FolderEntry[], text: string): void {
  const links = new Map(
    entries.filter(({ kind }) => kind === 'link').map((entry) => [entry.name.toString('latin1'), entry]),
  )
  for (let at = 0; at < text.length; ) {
    const slash = text.indexOf('/', at)
    if (slash < 0) return
    const link = links.get(text.slice(at, slash))
    const end = slash + 1 + (link?.size ?? 0)
    if (!link || text[end] !== '\n') return
    const target = text.slice(slash + 1, end)
    if (isPath(target)) link.target = Buffer.from(target, 'latin1')
    at = end + 1
  }
}
