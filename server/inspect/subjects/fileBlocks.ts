import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import { type FileBlocks, resumeLimits } from '../../../src/schemas/inspect/fileUploads.ts'
import { failure, notInstalled } from '../machine/programs.ts'
import type { Subject } from '../machine/subject.ts'
import { pathArgument, readPaths } from './filePaths.ts'

const { blockBytes } = resumeLimits
/** Bytes that `dd` reads at once. */
const stepBytes = 65_536

/** `$2` is the first block, `$3` how many. `dd` finds the place without reading what comes before it. */
const script = `${readPaths}
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
    const { stdout, stderr, exit_code } = await programs.script(script, args, options)
    if (exit_code === 127) throw notInstalled('sha256sum')
    const [size = '', ...lines] = stdout.trim().split('\n')
    const sha256 = lines.map((line) => line.slice(0, 64))
    if (exit_code !== 0 || !/^\d{1,15}$/.test(size) || !sha256.every((sum) => /^[\da-f]{64}$/.test(sum))) {
      throw failure(stderr || stdout)
    }
    return { items: [{ size: Number(size), sha256 }] }
  },
}
