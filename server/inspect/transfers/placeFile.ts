import { randomBytes } from 'node:crypto'
import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import { failure, type Programs, Silence } from '../machine/programs.ts'
import { pathBytesArgument as argumentOf, bytesArgument, readPaths } from '../subjects/filePaths.ts'
import type { WalkedEntry } from './walkFiles.ts'

/** Seconds that a machine may take to read a large file again, to compare it. */
const seconds = fileLimits.seconds

/** @throws Silence with the words of the machine */
async function run(programs: Programs, script: string, args: readonly string[]): Promise<string> {
  const { exit_code, stdout, stderr } = await programs.script(`${readPaths}${script}`, args, { seconds })
  if (exit_code !== 0) throw failure(stderr || stdout)
  return stdout.trim()
}

/** A name beside a file for what is not complete. */
export const partOf = (path: Buffer): Buffer => {
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
export async function placeFile(
  programs: Programs,
  { to, part, size, sha256, overwrite }: Placed,
  { mode, modified }: Pick<WalkedEntry, 'mode' | 'modified'>,
): Promise<'sha256' | 'size'> {
  // Whom it runs as is another user there.
  const bits = (mode & 0o777).toString(8).padStart(4, '0')
  const args = [
    overwrite ? 'overwrite' : 'keep',
    argumentOf(to),
    argumentOf(part),
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
export const placePrivatePart = (programs: Programs, part: Buffer) => run(programs, privateScript, [argumentOf(part)])

/** What is not complete goes away. @throws Silence */
export const removePart = (programs: Programs, part: Buffer) =>
  run(programs, 'exec rm -f -- "$1"\n', [argumentOf(part)])

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
export const placeFolder = (programs: Programs, to: Buffer, mode?: number) =>
  run(programs, folderScript, [
    argumentOf(to),
    // Its owner has to be able to fill it.
    mode === undefined ? '' : ((mode & 0o777) | 0o700).toString(8).padStart(4, '0'),
  ])

const linkScript = `${inTheWay}
ln -s -- "$4" "$3" || exit 1
if [ -L "$2" ]; then rm -f -- "$2"; fi
mv -f -- "$3" "$2" || { rm -f -- "$3"; exit 1; }
`

/** Makes a link. @param target where it leads to, as bytes @throws Silence */
export const placeLink = (programs: Programs, to: Buffer, target: Buffer, overwrite: boolean): Promise<string> =>
  run(programs, linkScript, [
    overwrite ? 'overwrite' : 'keep',
    argumentOf(to),
    argumentOf(partOf(to)),
    bytesArgument(target),
  ])
