import { type FilePart, fileLimits } from '../../../src/schemas/inspect/files.ts'
import { failure, notInstalled } from '../machine/programs.ts'
import type { Subject } from '../machine/subject.ts'
import { pathArgument, readPaths } from './filePaths.ts'

/**
 * `$2` is the byte to begin with. The file is opened once, and `dd` finds the place without reading what comes before it,
 * in GNU and in busybox.
 */
const script = `${readPaths}
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 3; }
exec 3< "$1" || exit 3
command -v base64 >/dev/null || { echo 'base64 is not installed' >&2; exit 3; }
size=$(stat -L -c %s /proc/self/fd/3 2>/dev/null) || exit 127
echo "$size"
dd bs=4096 skip=$(($2 / 4096)) count=${fileLimits.partBytes / 4096 + 1} <&3 2>/dev/null | tail -c +$(($2 % 4096 + 1)) |
  head -c ${fileLimits.partBytes} | base64
`

/** A part of a file, as it is now: one item. */
export const filePart: Subject<FilePart, { path: string; offset: number }> = {
  name: 'file-part',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path, offset }) {
    const { stdout, stderr, exit_code } = await programs.script(script, [pathArgument(path), String(offset)])
    if (exit_code === 127) throw notInstalled('stat')
    const lineEnd = stdout.indexOf('\n')
    const size = /^\d{1,15}$/.exec(stdout.slice(0, lineEnd))?.[0]
    if (exit_code !== 0 || size === undefined) throw failure(stderr || stdout)
    // Whatever an agent sends: it is a part, and it is base64.
    const bytes = Buffer.from(stdout.slice(lineEnd + 1), 'base64').subarray(0, fileLimits.partBytes)
    return { items: [{ size: Number(size), offset, data: bytes.toString('base64') }] }
  },
}
