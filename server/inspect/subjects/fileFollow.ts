import { type FollowedFile, followLimits } from '../../../src/schemas/inspect/followedFile.ts'
import { failure, notInstalled, type Programs } from '../machine/programs.ts'
import { pathArgument, readPaths } from './filePaths.ts'

/**
 * `$2` is the file that was read before (device and inode) or nothing, `$3` the byte from which on it is asked for. The file
 * is opened once, so that what is said of it and what is read of it are of one file. `dd` finds the place without reading
 * what comes before it, in GNU and in busybox.
 */
const script = `${readPaths}
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
  const { stdout, stderr, exit_code } = await programs.script(script, [
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
