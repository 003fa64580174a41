import { fileLimits, type Measured } from '../../../src/schemas/inspect/files.ts'
import { failure, notInstalled } from '../machine/programs.ts'
import type { Subject } from '../machine/subject.ts'
import { changedPaths, readPaths } from './filePaths.ts'

/** Kinds are told by the mode in hexadecimal digits, which GNU and busybox print alike. */
const script = `${readPaths}
stat -c %s / >/dev/null 2>&1 || exit 127
find "$@" -exec stat -c '%f %s' {} + 2>/dev/null | awk '
  /^4/ { folders++; next }
  { files++ }
  /^8/ { bytes += $2 }
  END { printf "%d %d %.0f\\n", files, folders, bytes }'
`

/** How much there is in files and folders. */
export const measure: Subject<Measured, { paths: readonly string[] }> = {
  name: 'measure',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { paths }) {
    const options = { seconds: fileLimits.readSeconds }
    const { stdout, stderr, exit_code } = await programs.script(script, changedPaths(paths), options)
    if (exit_code === 127) throw notInstalled('stat')
    const [, files, folders, bytes] = /^(\d{1,15}) (\d{1,15}) (\d{1,15})\s*$/.exec(stdout) ?? []
    if (bytes === undefined) throw failure(stderr || stdout)
    return { items: [{ files: Number(files), folders: Number(folders), bytes: Number(bytes) }] }
  },
}
