import type { z } from 'zod'
import type { packOrder, unpackOrder } from '../../src/schemas/inspect/files.ts'
import { ApiError } from '../wire/apiError.ts'
import { orderedFiles, partName } from './fileOrders.ts'
import type { Order } from './orders.ts'
import { changedPath, changedPaths, shownPath } from './subjects/filePaths.ts'

/** `$1` is `tar.gz` or `zip`, `$2` the archive, `$3` the folder; then names in it. Complete before it has its name. */
const packScript = `
format=$1 to=$2
if [ -e "$to" ] || [ -L "$to" ]; then echo "$to is already there" >&2; exit 1; fi
cd -- "$3" || exit 1
shift 3
${partName}
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
  return orderedFiles(packScript, [format, archive, folder, ...names])
}

/**
 * `$1` is the archive, `$2` the new folder. Owners are not those of the archive. What `unzip` is given has a plain name:
 * it takes brackets and stars for patterns.
 */
const unpackScript = `
archive=$1 to=$2
if [ -e "$to" ] || [ -L "$to" ]; then echo "$to is already there" >&2; exit 1; fi
${partName}
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
export const unpackArchive = ({ path, to }: z.output<typeof unpackOrder>): Order =>
  orderedFiles(unpackScript, [changedPath(path), changedPath(to)])
