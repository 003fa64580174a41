import type { z } from 'zod'
import {
  type createOrder,
  type deleteOrder,
  fileLimits,
  type foldersOrder,
  type packOrder,
  type rightsOrder,
  type TransferOrder,
  type unpackOrder,
} from '../../src/schemas/inspect/files.ts'
import { ApiError } from '../wire/apiCall.ts'
import { type Order, succeed } from './orders.ts'
import { changedPath, changedPaths, readPaths, shownPath, textArgument } from './subjects/filePaths.ts'
import { orderedWithParts, partBeside } from './unfinishedParts.ts'

/** Runs a script that begins with `readPaths`. */
const orderedFiles =
  (script: string, args: readonly string[]): Order =>
  (programs) =>
    succeed(programs.script(`${readPaths}${script}`, args, { seconds: fileLimits.seconds }))

/** The words of a script when something is already there. */
const exists = `
exists() { echo "$1 is already there" >&2; exit 1; }
`

const creation = {
  file: `${exists}
[ -e "$1" ] || [ -L "$1" ] && exists "$1"
set -C
: > "$1"
`,
  folder: 'exec mkdir -- "$1"\n',
} as const

/** A new empty file or folder. @throws ApiError when that is no path */
export const createEntry = ({ path, kind }: z.output<typeof createOrder>): Order =>
  orderedFiles(creation[kind], [changedPath(path)])

const foldersScript = `${exists}
for folder; do
  if [ -e "$folder" ] || [ -L "$folder" ]; then exists "$folder"; fi
  mkdir -p -- "$folder" || exit 1
done
`

/** New folders, in their order, with those above them. @throws ApiError when that are no paths */
export const createFolders = ({ paths }: z.output<typeof foldersOrder>): Order =>
  orderedFiles(foldersScript, changedPaths(paths))

/** `$1` says whether files may be replaced; then pairs of a path and the one it gets. */
const transfer = (act: string) => `${exists}
overwrite=$1
shift
while [ "$#" -gt 0 ]; do
  if [ -e "$2" ] || [ -L "$2" ]; then
    # By way of a link to its folder: making room for it would delete it.
    if [ "\${1##*/}" = "\${2##*/}" ] && [ "\${1%/*}/" -ef "\${2%/*}/" ]; then exists "$2"; fi
    # A folder is never replaced: what has its name would be put into it.
    if [ "$overwrite" != yes ] || { [ -d "$2" ] && [ ! -L "$2" ]; }; then exists "$2"; fi
  fi
  ${act}
  shift 2
done
`

/** Only when all of it is there does a copy get its name, so that no half of a file is taken for the file. */
const copyOne = `to=$2
  ${partBeside}
  if cp -a -- "$1" "$part" && mv -f -- "$part" "$2"; then :; else rm -rf -- "$part"; exit 1; fi`

/** A link to a folder is replaced, and nothing put into what it leads to. */
const moveOne = `if [ -L "$2" ]; then rm -f -- "$2" || exit 1; fi
  mv -f -- "$1" "$2" || exit 1`

/** @throws ApiError when something would come into itself, or that are no paths */
function transferArguments({ items, overwrite = false }: TransferOrder): string[] {
  const paths = changedPaths(items.flatMap(({ from, to }) => [from, to]))
  for (let at = 0; at < paths.length; at += 2) {
    const [from, to] = paths.slice(at, at + 2)
    if (`${to}/`.startsWith(`${from}/`)) {
      throw new ApiError(`${shownPath(items[at / 2]?.from ?? '')} cannot come into itself`)
    }
  }
  return [overwrite ? 'yes' : 'no', ...paths]
}

export const moveEntries = (order: TransferOrder): Order => orderedFiles(transfer(moveOne), transferArguments(order))

/** With rights, times and links as they are. */
export function copyEntries(order: TransferOrder): Order {
  const args = transferArguments(order)
  return orderedWithParts(
    transfer(copyOne),
    args,
    args.slice(1).filter((_, at) => at % 2 === 1),
  )
}

/** Folders with all that is in them. @throws ApiError */
export const deleteEntries = ({ paths }: z.output<typeof deleteOrder>): Order =>
  orderedFiles('exec rm -rf -- "$@"\n', changedPaths(paths))

/**
 * `$1` is `-R` or nothing, `$2` the new owner, `$3` the new mode. The owner comes first: it takes away setuid bits. What a
 * link leads to keeps its mode: it may be anywhere.
 */
const rightsScript = `
recursive=$1 owner=$2 mode=$3
shift 3
if [ -n "$mode" ]; then
  for one; do
    if [ -L "$one" ]; then echo "$one is a link, which has no rights of its own" >&2; exit 1; fi
  done
fi
if [ -n "$owner" ]; then chown -h $recursive -- "$owner" "$@" || exit 1; fi
if [ -n "$mode" ]; then chmod $recursive -- "$mode" "$@" || exit 1; fi
`

/** @throws ApiError when that are no paths */
export function setRights(order: z.output<typeof rightsOrder>): Order {
  const { paths, mode = '', owner = '', group, recursive } = order
  const account = textArgument(`${owner}${group ? `:${group}` : ''}`)
  return orderedFiles(rightsScript, [recursive ? '-R' : '', account, mode, ...changedPaths(paths)])
}

/** `$1` is `tar.gz` or `zip`, `$2` the archive, `$3` the folder; then names in it. Complete before it has its name. */
const packScript = `
format=$1 to=$2
if [ -e "$to" ] || [ -L "$to" ]; then echo "$to is already there" >&2; exit 1; fi
cd -- "$3" || exit 1
shift 3
${partBeside}
case $format in
  zip) command -v zip >/dev/null || { echo 'zip is not installed' >&2; exit 1; }; zip -qry - "$@" > "$part" ;;
  *) tar -czf - "$@" > "$part" ;;
esac && mv -f -- "$part" "$to" && exit 0
rm -f -- "$part"
exit 1
`

/** Packs entries of one folder. @throws ApiError when they are of several */
export function packEntries({ paths, to, format }: z.output<typeof packOrder>): Order {
  const [archive = '', ...sources] = changedPaths([to, ...paths])
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/'
  const folder = folderOf(sources[0] ?? '')
  const stray = sources.findIndex((path) => folderOf(path) !== folder)
  if (stray >= 0) throw new ApiError(`${shownPath(paths[stray] ?? '')} is in another folder`)
  const inside = sources.find((path) => archive.startsWith(`${path}/`))
  if (inside !== undefined) throw new ApiError('an archive cannot come into what is packed')
  const names = sources.map((path) => `./${path.slice(path.lastIndexOf('/') + 1)}`)
  return orderedWithParts(packScript, [format, archive, folder, ...names], [archive])
}

/**
 * `$1` is the archive, `$2` the new folder. Owners are not those of the archive. What `unzip` is given has a plain name:
 * it takes brackets and stars for patterns.
 */
const unpackScript = `
archive=$1 to=$2
if [ -e "$to" ] || [ -L "$to" ]; then echo "$to is already there" >&2; exit 1; fi
${partBeside}
mkdir -- "$part" && cd -- "$part" || exit 1
case $archive in
  *.zip | *.ZIP)
    if command -v unzip >/dev/null; then
      ln -s -- "$archive" .unpack.zip && unzip -q .unpack.zip && rm .unpack.zip
    else
      echo 'unzip is not installed' >&2
      false
    fi ;;
  *.tar) tar -xof - < "$archive" ;;
  *) tar -xzof - < "$archive" ;;
esac && mv -- "$part" "$to" && exit 0
rm -rf -- "$part"
exit 1
`

/** Unpacks an archive into a new folder. @throws ApiError when that are no paths */
export function unpackArchive({ path, to }: z.output<typeof unpackOrder>): Order {
  const [archive, folder] = [changedPath(path), changedPath(to)]
  return orderedWithParts(unpackScript, [archive, folder], [folder])
}
