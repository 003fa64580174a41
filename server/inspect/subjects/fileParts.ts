import { pathTextOf } from '../../../src/domain/files/pathText.ts'
import { type FilePart, fileLimits } from '../../../src/schemas/inspect/files.ts'
import {
  type FileBlocks,
  type LeftPart,
  leftPartLimits,
  resumeLimits,
  uploadId,
  uploadPartName,
} from '../../../src/schemas/inspect/fileUploads.ts'
import { failure, notInstalled, type Programs, type Subject } from '../machine/programs.ts'
import { pathArgument, readPaths } from './filePaths.ts'

/**
 * `$2` is the byte to begin with. The file is opened once, and `dd` finds the place without reading what comes before it,
 * in GNU and in busybox.
 * @param bytes of the part at most; a multiple of 4096
 */
const scriptFor = (bytes: number) => `${readPaths}
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 3; }
exec 3< "$1" || exit 3
command -v base64 >/dev/null || { echo 'base64 is not installed' >&2; exit 3; }
stat -L -c '%s %d:%i' /proc/self/fd/3 2>/dev/null || exit 127
dd bs=4096 skip=$(($2 / 4096)) count=${bytes / 4096 + 1} <&3 2>/dev/null | tail -c +$(($2 % 4096 + 1)) |
  head -c ${bytes} | base64
`

/** A part of a file, as it is now. */
export interface FileBytes {
  /** Bytes of the whole file. */
  size: number
  /** Tells it from another one that gets its name. */
  file: string
  content: Buffer
}

/**
 * Reads a part of a file by the machine's programs.
 * @param bytes of the part at most; a multiple of 4096
 * @throws Silence, or ApiError
 */
export async function readFilePart(
  programs: Programs,
  { path, offset, bytes }: { path: string; offset: number; bytes: number },
): Promise<FileBytes> {
  const { stdout, stderr, exit_code } = await programs.script(scriptFor(bytes), [pathArgument(path), String(offset)])
  if (exit_code === 127) throw notInstalled('stat')
  const lineEnd = stdout.indexOf('\n')
  const [, size, file = ''] = /^(\d{1,15}) (\d{1,20}:\d{1,20})$/.exec(stdout.slice(0, lineEnd)) ?? []
  if (exit_code !== 0 || size === undefined) throw failure(stderr || stdout)
  // Whatever an agent sends: it is a part, and it is base64.
  return { size: Number(size), file, content: Buffer.from(stdout.slice(lineEnd + 1), 'base64').subarray(0, bytes) }
}

/** A part of a file, as it is now: one item. */
export const filePart: Subject<FilePart, { path: string; offset: number }> = {
  name: 'file-part',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path, offset }) {
    const { size, content } = await readFilePart(programs, { path, offset, bytes: fileLimits.partBytes })
    return { items: [{ size, offset, data: content.toString('base64') }] }
  },
}

const { blockBytes } = resumeLimits
/** Bytes that `dd` reads at once. */
const stepBytes = 65_536

/** `$2` is the first block, `$3` how many. `dd` finds the place without reading what comes before it. */
const blocksScript = `${readPaths}
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 1; }
command -v sha256sum >/dev/null || exit 127
exec 3< "$1" || exit 1
size=$(stat -L -c %s /proc/self/fd/3) || exit 1
echo "$size"
at=$2 end=$(($2 + $3))
while [ "$at" -lt "$end" ] && [ $((at * ${blockBytes})) -lt "$size" ]; do
  dd bs=${stepBytes} skip=$((at * ${blockBytes / stepBytes})) count=${blockBytes / stepBytes} < "$1" 2>/dev/null | sha256sum || exit 1
  at=$((at + 1))
done
`

/** The checksums of some blocks of a file, as it is now: one item. */
export const fileBlocks: Subject<FileBlocks, { path: string; first: number; count: number }> = {
  name: 'file-blocks',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path, first, count }) {
    const options = { seconds: fileLimits.readSeconds }
    const args = [pathArgument(path), String(first), String(count)]
    const { stdout, stderr, exit_code } = await programs.script(blocksScript, args, options)
    if (exit_code === 127) throw notInstalled('sha256sum')
    const [size = '', ...lines] = stdout.trim().split('\n')
    const sha256 = lines.map((line) => line.slice(0, 64))
    if (exit_code !== 0 || !/^\d{1,15}$/.test(size) || !sha256.every((sum) => /^[\da-f]{64}$/.test(sum))) {
      throw failure(stderr || stdout)
    }
    return { items: [{ size: Number(size), sha256 }] }
  },
}

/** By the machine's own clock. What `.for` says comes in hexadecimal digits: it has bytes of any kind. */
const leftPartsScript = `${readPaths}
cd -- "$1" || exit 1
now=$(date +%s)
count=0
for part in ./${uploadPartName('[0-9a-f]'.repeat(16))}; do
  [ -f "$part" ] && [ ! -L "$part" ] || continue
  count=$((count + 1))
  [ "$count" -le ${leftPartLimits.parts + 1} ] || break
  said=$(stat -c '%s %Y' "$part") || continue
  set -- $said 0 0
  if [ -f "$part.rest" ] && [ ! -L "$part.rest" ] && said=$(stat -c '%s %Y' "$part.rest"); then set -- "$1" "$2" $said; fi
  note=
  if [ -f "$part.for" ] && [ ! -L "$part.for" ]; then
    note=$(dd if="$part.for" bs=${leftPartLimits.noteBytes} count=1 2>/dev/null | od -An -v -tx1 | tr -d ' \\n')
  fi
  last=$2
  [ "$4" -le "$last" ] || last=$4
  echo "\${part##*-} $(($1 + $3)) $((now - last)) $note"
done
`

/** The parts of uploads in a folder that nobody has gone on with for a while, the oldest first. */
export const leftParts: Subject<LeftPart, { path: string }> = {
  name: 'left-parts',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path }) {
    const options = { seconds: fileLimits.readSeconds }
    const { stdout, stderr, exit_code } = await programs.script(leftPartsScript, [pathArgument(path)], options)
    if (exit_code !== 0) throw failure(stderr || stdout)
    const lines = stdout.split('\n').filter((line) => line !== '')
    const items = lines
      .slice(0, leftPartLimits.parts)
      .flatMap((line) => partOf(line) ?? [])
      .filter(({ age }) => age >= leftPartLimits.quietSeconds)
      .sort((one, other) => other.age - one.age)
    return { items, ...(lines.length > leftPartLimits.parts && { truncated: true }) }
  },
}

/** A line of the script; `undefined` for anything else that a machine may say. */
function partOf(line: string): LeftPart | undefined {
  const [id, size = '', age = '', note = ''] = line.split(' ')
  const upload = uploadId.safeParse(id).data
  if (!upload || !/^\d{1,15}$/.test(size) || !/^-?\d{1,15}$/.test(age)) return undefined
  const bytes = Buffer.from(note.slice(0, 2 * leftPartLimits.noteBytes), 'hex')
  const end = bytes.indexOf('\n')
  const person = bytes.subarray(0, Math.max(0, end)).toString()
  const name = bytes.subarray(end + 1)
  const named = end >= 0 && isName(name) && { name: pathTextOf(name) }
  return { upload, size: Number(size), age: Number(age), ...(end > 0 && { person }), ...named }
}

/** Whoever may write into the folder may have written the note: what leads elsewhere is no name of a file in it. */
const isName = (bytes: Buffer) => bytes.length > 0 && !/[\0/]|^\.{1,2}$/.test(bytes.toString('latin1'))
