import { pathTextOf } from '../../../src/domain/files/pathText.ts'
import { answerLimits } from '../../../src/schemas/inspect/answer.ts'
import {
  type FileItem,
  type FileKind,
  type FolderSize,
  type FollowedFile,
  type FoundFile,
  fileLimits,
  followLimits,
  type Measured,
} from '../../../src/schemas/inspect/files.ts'
import { timestamp } from '../../wire/apiCall.ts'
import { failure, notInstalled, type Programs, type Subject } from '../machine/programs.ts'
import { changedPaths, pathArgument, readPaths, textArgument } from './filePaths.ts'

/**
 * What GNU and busybox both print: each record ends with a slash, which no name has. The answer is in base64 (in
 * hexadecimal digits where there is no base64), for names need not be UTF-8.
 */
const script = `${readPaths}
cd -- "$1" || exit 1
stat -c %s . >/dev/null 2>&1 || exit 127
if command -v base64 >/dev/null 2>&1; then echo base64; coder=base64; else echo hex; coder='od -An -v -tx1'; fi
{
  find . -mindepth 1 -maxdepth 1 -exec stat -c '%f %s %Y %u %g %U %G/%n/' {} +
  find . -mindepth 1 -maxdepth 1 -type l -exec stat -L -c '%f/%n/' {} +
} 2>/dev/null | $coder
`

/** What is in a folder, with size, date, owner and rights. */
export const folder: Subject<FileItem, { path: string }> = {
  name: 'files',
  // Who acts, and who asks again, wants to see what is there now.
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path }) {
    const { stdout, stderr, exit_code, stdout_truncated } = await programs.script(script, [pathArgument(path)])
    if (exit_code === 127) throw notInstalled('stat')
    if (exit_code !== 0) throw failure(stderr)
    const items = parseFolder(stdout)
    return { items, ...(stdout_truncated && { truncated: true }) }
  },
}

/** The kinds by the first of the four hexadecimal digits of the mode: `81a4`. */
const kinds: Readonly<Record<string, FileKind>> = {
  1: 'pipe',
  2: 'device',
  4: 'folder',
  6: 'device',
  8: 'file',
  a: 'link',
  c: 'socket',
}

/** The answer of the script. What is cut off at its end is left out. */
export function parseFolder(output: string): FileItem[] {
  const start = output.indexOf('\n') + 1
  const coder = output.slice(0, start - 1)
  // One character a byte: names are told apart by their bytes.
  const text = Buffer.from(output.slice(start).replace(/\s/g, ''), coder === 'hex' ? 'hex' : 'base64').toString(
    'latin1',
  )
  const parts = text.split('/')
  const items = new Map<string, FileItem>()
  // Three for each: what is known, a dot, the name.
  for (let at = 0; at + 3 < parts.length && items.size <= answerLimits.items; at += 3) {
    const [known = '', , raw = ''] = parts.slice(at, at + 3)
    const [mode = '', size, ...more] = known.trim().slice(0, maxKnown).split(' ')
    const kind = /^[\da-f]{4}$/.test(mode) ? kinds[mode.charAt(0)] : undefined
    if (!kind || raw === '') continue
    const link = items.get(raw)
    if (size === undefined && link) link.target = kind
    else if (size !== undefined) items.set(raw, itemOf(raw, kind, [mode, size, ...more]))
  }
  return [...items.values()]
}

/** Characters of what is known about an entry: two names of 256 at most, and numbers. */
const maxKnown = 1024

function itemOf(raw: string, kind: FileKind, known: readonly string[]): FileItem {
  const [mode = '', size, seconds, uid = '', gid = '', owner = '', group = ''] = known
  const modified = momentOf(Number(seconds))
  return {
    name: pathTextOf(Buffer.from(raw, 'latin1')),
    kind,
    size: Number(size) || 0,
    ...(modified && { modified }),
    mode: (Number.parseInt(mode, 16) & 0o7777).toString(8).padStart(4, '0'),
    owner: nameOf(owner, uid),
    group: nameOf(group, gid),
  }
}

/** GNU and busybox have this word for numbers without a name. */
const nameOf = (name: string, number: string) => (name === 'UNKNOWN' || name === '' ? number : name)

/** Seconds since 1970 to the year 10,000. */
const endOfCalendar = 253_402_300_800

/** File systems keep moments that no calendar has. */
function momentOf(seconds: number): string | undefined {
  return seconds >= 0 && seconds < endOfCalendar ? timestamp(seconds * 1000) : undefined
}

/** Answers of programs whose lines begin with what no second line of a name begins with, in base64. */
async function linesOf(programs: Programs, script: string, args: readonly string[], start: RegExp): Promise<string[]> {
  const options = { seconds: fileLimits.readSeconds }
  const { stdout, stderr, exit_code } = await programs.script(`${readPaths}${script}`, args, options)
  if (exit_code !== 0) throw failure(stderr)
  const text = Buffer.from(stdout.replace(/\s/g, ''), 'base64').toString('latin1')
  return text.replace(/\n$/, '').split(start).filter(Boolean)
}

const textOf = (raw: string) => pathTextOf(Buffer.from(raw, 'latin1'))

/** Of a pattern of `find`, as it is. */
const escaped = (text: string) => text.replace(/[\\*?[\]]/g, '\\$&')

const searchScript = `
cd -- "$1" || exit 1
command -v base64 >/dev/null || { echo 'base64 is not installed' >&2; exit 1; }
{
  if [ -n "$3" ]; then
    find . -xdev -mindepth 1 -type f -iname "$2" -size -8193k -exec grep -lF -e "$3" -- {} +
  else
    find . -xdev -mindepth 1 -iname "$2"
  fi
} 2>/dev/null | head -n ${fileLimits.found} | base64
`

interface SearchQuery {
  path: string
  name?: string
  text?: string
}

/** Files below a folder, by a part of the name and by what is in them. */
export const search: Subject<FoundFile, SearchQuery> = {
  name: 'file-search',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path, name = '', text = '' }) {
    const args = [pathArgument(path), textArgument(name ? `*${escaped(name)}*` : '*'), textArgument(text)]
    const found = await linesOf(programs, searchScript, args, /\n(?=\.\/)/)
    const items = found.map((line) => ({ path: textOf(line.replace(/^\.\//, '')) }))
    return { items, ...(found.length >= fileLimits.found && { truncated: true }) }
  },
}

const sizesScript = `
cd -- "$1" || exit 1
command -v base64 >/dev/null || { echo 'base64 is not installed' >&2; exit 1; }
find . -xdev -mindepth 1 -maxdepth 1 -type d -exec du -skx {} + 2>/dev/null | base64
`

/** The folders in a folder with what they take on the disk, the largest first. */
export const folderSizes: Subject<FolderSize, { path: string }> = {
  name: 'folder-sizes',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path }) {
    const lines = await linesOf(programs, sizesScript, [pathArgument(path)], /\n(?=\d+\t\.\/)/)
    const items = lines.flatMap((line) => {
      const tab = line.indexOf('\t')
      const kibibytes = Number(line.slice(0, tab))
      const name = textOf(line.slice(tab + 3))
      return tab > 0 && Number.isSafeInteger(kibibytes * 1024) && name ? [{ name, bytes: kibibytes * 1024 }] : []
    })
    return { items: items.sort((one, other) => other.bytes - one.bytes) }
  },
}

/** Where its first bytes cannot be read, the checksum is of less: words in front of it keep it from being taken for one. */
const checksumScript = `
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 1; }
exec < "$1"
[ -n "$2" ] || exec sha256sum
{ { head -c "$2" || echo 'this file cannot be read' >&3; } | sha256sum; } 3>&1
`

/** The SHA-256 of a file or of its first bytes, as 64 hexadecimal digits. */
export const checksum: Subject<{ sha256: string }, { path: string; bytes?: number | undefined }> = {
  name: 'checksum',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path, bytes = '' }) {
    const options = { seconds: fileLimits.readSeconds }
    const script = `${readPaths}${checksumScript}`
    const { stdout, stderr, exit_code } = await programs.script(script, [pathArgument(path), String(bytes)], options)
    const sha256 = /^[\da-f]{64}/.exec(stdout)?.[0]
    if (exit_code !== 0 || !sha256) throw failure(stderr || stdout)
    return { items: [{ sha256 }] }
  },
}

/** Kinds are told by the mode in hexadecimal digits, which GNU and busybox print alike. */
const measureScript = `${readPaths}
stat -c %s / >/dev/null 2>&1 || exit 127
find "$@" -exec stat -c '%f %s' {} + 2>/dev/null | awk '
  /^4/ { folders++; next }
  { files++ }
  /^8/ { bytes += $2 }
  END { printf "%d %d %.0f\\n", files, folders, bytes }'
`

/** How much there is in files and folders. */
export const measure: Subject<Measured, { paths: readonly string[] }> = {
  name: 'measure',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { paths }) {
    const options = { seconds: fileLimits.readSeconds }
    const { stdout, stderr, exit_code } = await programs.script(measureScript, changedPaths(paths), options)
    if (exit_code === 127) throw notInstalled('stat')
    const [, files, folders, bytes] = /^(\d{1,15}) (\d{1,15}) (\d{1,15})\s*$/.exec(stdout) ?? []
    if (bytes === undefined) throw failure(stderr || stdout)
    return { items: [{ files: Number(files), folders: Number(folders), bytes: Number(bytes) }] }
  },
}

/**
 * `$2` is the file that was read before (device and inode) or nothing, `$3` the byte from which on it is asked for. The file
 * is opened once, so that what is said of it and what is read of it are of one file. `dd` finds the place without reading
 * what comes before it, in GNU and in busybox.
 */
const followScript = `${readPaths}
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 3; }
exec 3< "$1" || exit 3
command -v base64 >/dev/null || { echo 'base64 is not installed' >&2; exit 3; }
found=$(stat -L -c '%d:%i %s' /proc/self/fd/3 2>/dev/null) || exit 127
file=\${found% *} size=\${found#* } from=$3
if [ "$file" != "$2" ] || [ "$size" -lt "$from" ]; then from=0; fi
most=${followLimits.behindBytes}
if [ "$2" = none ]; then most=${followLimits.firstBytes}; fi
if [ $((size - from)) -gt $most ]; then from=$((size - ${followLimits.firstBytes})); fi
echo "$file $size $from"
dd bs=4096 skip=$((from / 4096)) count=${followLimits.blocks} <&3 2>/dev/null | tail -c +$((from % 4096 + 1)) | base64
`

interface FollowQuery {
  path: string
  /** As the answer before had it. */
  file: string
  offset: number
}

const lineFeed = 0x0a

/** What has come to a file since it was read last; without `file`, its end. @throws Silence */
export async function follow(programs: Programs, { path, file, offset }: FollowQuery): Promise<FollowedFile> {
  // What is asked for first is the end, however much there is before it.
  const from = file === '' ? 0 : offset
  const { stdout, stderr, exit_code } = await programs.script(followScript, [
    pathArgument(path),
    file || 'none',
    String(from),
  ])
  if (exit_code === 127) throw notInstalled('stat')
  const lineEnd = stdout.indexOf('\n')
  const [, found, size, begun] = /^(\d+:\d+) (\d{1,15}) (\d{1,15})$/.exec(stdout.slice(0, lineEnd)) ?? []
  if (exit_code !== 0 || found === undefined) throw failure(stderr || stdout)
  const start = Number(begun)
  const bytes = Buffer.from(stdout.slice(lineEnd + 1).replace(/\s/g, ''), 'base64').subarray(0, Number(size) - start)
  const change =
    file === '' || found === file ? (file !== '' && Number(size) < offset ? 'shorter' : undefined) : 'replaced'
  const expected = file === '' || change ? 0 : offset
  // A part of a line, from its middle on, is no line.
  const skip = start > expected ? bytes.indexOf(lineFeed) + 1 : 0
  const whole = wholeLines(bytes, skip)
  return {
    file: found,
    size: Number(size),
    offset: start + whole,
    text: bytes.subarray(skip, whole).toString(),
    rest: bytes.subarray(whole).toString(),
    ...(change && { change }),
    ...(start + skip > expected && { skipped: start + skip - expected }),
    // More has been written than one answer holds.
    ...(start + bytes.length < Number(size) && { more: true }),
  }
}

/** Bytes up to the end of the last line that is complete, or that is too long to wait for its end. */
function wholeLines(bytes: Buffer, least: number): number {
  const end = bytes.lastIndexOf(lineFeed) + 1
  if (bytes.length - end <= followLimits.lineBytes) return Math.max(end, least)
  return bytes.length
}
