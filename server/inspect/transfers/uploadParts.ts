import type { z } from 'zod'
import { bytesOfPathText, pathTextOf } from '../../../src/domain/files/pathText.ts'
import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import {
  leftPartLimits,
  type PlacedUpload,
  placedUpload,
  type uploadOpening,
  type uploadOrder,
  uploadPartName,
  type uploadPlacing,
} from '../../../src/schemas/inspect/fileUploads.ts'
import { failure, type Programs } from '../machine/programs.ts'
import { changedPath, pathBytesArgument, readPaths, textArgument } from '../subjects/filePaths.ts'

/** @throws Silence with the words of the machine */
async function run(programs: Programs, script: string, args: readonly string[]): Promise<string> {
  const options = { seconds: fileLimits.seconds }
  const { exit_code, stdout, stderr } = await programs.script(`${readPaths}${script}`, args, options)
  if (exit_code !== 0) throw failure(stderr || stdout)
  return stdout.trim()
}

function partBytes({ path, upload }: z.output<typeof uploadOrder>): Buffer {
  const bytes = Buffer.from(bytesOfPathText(path)).toString('latin1').replace(/\/+$/, '')
  const folder = bytes.slice(0, bytes.lastIndexOf('/') + 1)
  return Buffer.from(`${folder}${uploadPartName(upload)}`, 'latin1')
}

/** The path of the part of an upload, as requests have paths. */
export const partPath = (order: z.output<typeof uploadOrder>): string => pathTextOf(partBytes(order))

/** The paths of an upload as arguments: its target, and its part. @throws ApiError */
const pathsOf = (order: z.output<typeof uploadOrder>): [target: string, part: string] => [
  changedPath(order.path),
  pathBytesArgument(partBytes(order)),
]

/** Refuses before any data comes what could not be written after all of it has come. */
const canBeWritten = `
writable() {
  if [ -d "$1" ]; then echo 'a folder has this name there' >&2; exit 1; fi
  [ -e "$1" ] || return 0
  [ -f "$1" ] || { echo 'this is not a file' >&2; exit 1; }
  [ -w "$1" ] || { echo 'permission denied' >&2; exit 1; }
}
# What came after a cut belongs behind what came before it. Nothing is written through a link.
join() {
  if [ -L "$1" ] || [ -L "$1.rest" ]; then echo 'a link has the name of the part' >&2; exit 1; fi
  if [ -s "$1.rest" ]; then cat < "$1.rest" >> "$1" || exit 1; fi
  rm -f -- "$1.rest"
}
`

/** The names of parts, for a shell and for `find`. */
const partPattern = uploadPartName('[0-9a-f]'.repeat(16))

/**
 * Removes parts that nobody can go on with any more, with what belongs to them. Nobody waits for it, and what fails is left.
 * Only those of the same user: another one may have a reason for theirs.
 */
const sweep = `
sweep() {
  find "\${1%/*}/" -maxdepth 1 -type f -name '${partPattern}' -user "$(id -u)" -mtime +${leftPartLimits.days} -exec sh -c '
    for part do
      [ -n "$(find "$part.rest" -mtime -${leftPartLimits.days} 2>/dev/null)" ] || rm -f -- "$part" "$part.rest" "$part.for"
    done
  ' sh {} + 2>/dev/null
}
`

/**
 * `$3` is how much of the part is right, or nothing; `$4` who uploads it. Until it is complete, nobody else may read it: what somebody else has
 * made under its name is not written to. Says nothing where the target can only be written as it is: a device, or a file in
 * a folder where nothing can be made.
 */
const openScript = `${canBeWritten}${sweep}
umask 077
set -C
if [ -e "$1" ] && [ ! -f "$1" ] && [ ! -d "$1" ]; then exit; fi
writable "$1"
join "$2"
if [ ! -e "$2" ]; then
  if ! true > "$2"; then
    if [ -f "$1" ]; then exit; fi
    exit 1
  fi
  rm -f -- "$2.for"
  printf '%s\\n%s' "$4" "\${1##*/}" > "$2.for"
  sweep "$2"
fi
size=$(stat -c %s "$2") || exit 1
if [ -n "$3" ] && [ "$3" -lt "$size" ]; then
  dd if=/dev/null of="$2" bs=1 seek="$3" 2>/dev/null || exit 1
  size=$3
fi
if [ "$size" != 0 ]; then true > "$2.rest" || exit 1; fi
echo "$size"
`

/**
 * Finds the part of an upload, or begins one.
 * @param username who uploads it: whoever finds the part later is told
 * @returns the bytes that have arrived; `undefined` where the target has to be written without a part
 * @throws Silence, or ApiError
 */
export async function openUpload(
  programs: Programs,
  order: z.output<typeof uploadOpening>,
  username: string,
): Promise<number | undefined> {
  const keep = order.keep === undefined ? '' : String(order.keep)
  const size = await run(programs, openScript, [...pathsOf(order), keep, textArgument(username.replaceAll('\n', ' '))])
  if (size === '') return undefined
  if (!/^\d{1,15}$/.test(size)) throw failure(size)
  return Number(size)
}

/**
 * A target that leads elsewhere keeps doing so. What has the same owner as the target, and is its only name, takes its
 * place at once, flushed to the disk before; else its content is written over.
 */
const placeScript = `${canBeWritten}
target=$1 part=$2 size=$3
join "$part"
found=$(stat -c %s "$part") || exit 1
if [ "$found" != "$size" ]; then echo "$found of $size bytes have arrived" >&2; exit 1; fi
if [ -L "$target" ]; then
  target=$(readlink -f "$target" && echo .) || exit 1
  target=\${target%??}
fi
writable "$target"
placed() {
  rm -f -- "$part.for"
  echo "$1"
}
if [ ! -e "$target" ]; then
  chmod 644 "$part" && mv -f -- "$part" "$target" && placed created
  exit
fi
set -- $(stat -c '%h %u:%g %a' "$target")
if [ "$1" = 1 ] && { [ "$(stat -c %u:%g "$part")" = "$2" ] || chown "$2" "$part" 2>/dev/null; }; then
  chmod "$3" "$part" || exit 1
  dd if=/dev/null of="$part" bs=1 count=0 conv=notrunc,fsync 2>/dev/null
  if mv -f -- "$part" "$target" 2>/dev/null; then placed replaced; exit; fi
fi
cat < "$part" > "$target" && rm -f -- "$part" && placed 'in place'
`

/** Gives the target the content of a complete part. @throws Silence, or ApiError; the part is there then */
export async function placeUpload(programs: Programs, order: z.output<typeof uploadPlacing>): Promise<PlacedUpload> {
  const way = await run(programs, placeScript, [...pathsOf(order), String(order.size)])
  const placed = placedUpload.safeParse({ way })
  if (!placed.success) throw failure(way)
  return placed.data
}

/** What is not complete goes away. @throws Silence, or ApiError */
export async function discardUpload(programs: Programs, order: z.output<typeof uploadOrder>): Promise<void> {
  const [, part] = pathsOf(order)
  await run(programs, 'exec rm -f -- "$1" "$1.rest" "$1.for"\n', [part])
}
