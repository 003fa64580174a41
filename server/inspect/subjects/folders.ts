import { type FolderUsage, folderLimits } from '../../../src/schemas/inspect/hardware.ts'
import { failure, type Subject } from '../machine/programs.ts'
import { pathArgument, readPaths, shownPath } from './filePaths.ts'

/** What is printed first when the time was up: larger than any folder. */
const cutLine = '9000000000000 cut'

/** Without other file systems, and behind everything else that the machine has to do. */
const script = `${readPaths}
[ -d "$1" ] || { echo 'this is not a folder' >&2; exit 3; }
first=nice
if command -v ionice >/dev/null 2>&1; then first='ionice -c 3 nice'; fi
if command -v timeout >/dev/null 2>&1; then first="timeout ${folderLimits.seconds} $first"; fi
{ $first du -xk -d ${folderLimits.depth} "$1" 2>/dev/null; case $? in 124 | 143) echo '${cutLine}' ;; esac; } |
  sort -rn | head -n ${folderLimits.folders + 2}
`

/** The largest folders below one, on its file system. */
export const folders: Subject<FolderUsage, { path: string }> = {
  name: 'folders',
  freshMs: 60_000,
  async ask(programs, { path }) {
    const { stdout, stderr, exit_code } = await programs.script(script, [pathArgument(path)], {
      seconds: folderLimits.seconds + 15,
    })
    if (exit_code === 3) throw failure(stderr)
    const lines = stdout.split('\n', folderLimits.folders + 2)
    const items = lines.flatMap(sizeIn).filter((one) => one.path !== shownPath(path).replace(/(?<=.)\/$/, ''))
    return { items: items.slice(0, folderLimits.folders), ...(lines[0] === cutLine && { truncated: true }) }
  },
}

/** `1048576	/var/lib`, in KiB. */
function sizeIn(line: string): FolderUsage[] {
  const [, kibibytes, path] = /^(\d{1,12})\s(\/.*)$/.exec(line.trimEnd()) ?? []
  return path ? [{ path, size: Number(kibibytes) * 1024 }] : []
}
