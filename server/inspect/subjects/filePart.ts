import { type FilePart, fileLimits } from '../../../src/schemas/inspect/files.ts'
import { failure, notInstalled, type Programs } from '../machine/programs.ts'
import type { Subject } from '../machine/subject.ts'
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
