import { pathTextOf } from '../../../src/domain/files/pathText.ts'
import { type FolderSize, type FoundFile, fileLimits } from '../../../src/schemas/inspect/files.ts'
import { failure, type Programs } from '../machine/programs.ts'
import type { Subject } from '../machine/subject.ts'
import { pathArgument, readPaths, textArgument } from './filePaths.ts'

/** Answers of programs whose lines begin with what no second line of a name begins with, in base64. */
async function linesOf(programs: Programs, script: string, args: readonly string[], start: RegExp): Promise<string[]> {
  const options = { seconds: fileLimits.readSeconds }
  const { stdout, stderr, exit_code } = await programs.script(`${readPaths}${script}`, args, options)
  if (exit_code !== 0) throw failure(stderr)
  const text = Buffer.from(stdout.replace(/\s/g, ''), 'base64').toString('latin1')
  return text.replace(/\n$/, '').split(start).filter(Boolean)
}

const textOf = (raw: string) => pathTextOf(Buffer.from(raw, 'latin1'))

/** Of a pattern of `find`, as it is. */
const escaped = (text: string) => text.replace(/[\\*?[\]]/g, '\\$&')

const searchScript = `
cd -- "$1" || exit 1
command -v base64 >/dev/null || { echo 'base64 is not installed' >&2; exit 1; }
{
  if [ -n "$3" ]; then
    find . -xdev -mindepth 1 -type f -iname "$2" -size -8193k -exec grep -lF -e "$3" -- {} +
  else
    find . -xdev -mindepth 1 -iname "$2"
  fi
} 2>/dev/null | head -n ${fileLimits.found} | base64
`

interface SearchQuery {
  path: string
  name?: string
  text?: string
}

/** Files below a folder, by a part of the name and by what is in them. */
export const search: Subject<FoundFile, SearchQuery> = {
  name: 'file-search',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path, name = '', text = '' }) {
    const args = [pathArgument(path), textArgument(name ? `*${escaped(name)}*` : '*'), textArgument(text)]
    const found = await linesOf(programs, searchScript, args, /\n(?=\.\/)/)
    const items = found.map((line) => ({ path: textOf(line.replace(/^\.\//, '')) }))
    return { items, ...(found.length >= fileLimits.found && { truncated: true }) }
  },
}

const sizesScript = `
cd -- "$1" || exit 1
command -v base64 >/dev/null || { echo 'base64 is not installed' >&2; exit 1; }
find . -xdev -mindepth 1 -maxdepth 1 -type d -exec du -skx {} + 2>/dev/null | base64
`

/** The folders in a folder with what they take on the disk, the largest first. */
export const folderSizes: Subject<FolderSize, { path: string }> = {
  name: 'folder-sizes',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path }) {
    const lines = await linesOf(programs, sizesScript, [pathArgument(path)], /\n(?=\d+\t\.\/)/)
    const items = lines.flatMap((line) => {
      const tab = line.indexOf('\t')
      const kibibytes = Number(line.slice(0, tab))
      const name = textOf(line.slice(tab + 3))
      return tab > 0 && Number.isSafeInteger(kibibytes * 1024) && name ? [{ name, bytes: kibibytes * 1024 }] : []
    })
    return { items: items.sort((one, other) => other.bytes - one.bytes) }
  },
}

/** Where its first bytes cannot be read, the checksum is of less: words in front of it keep it from being taken for one. */
const checksumScript = `
[ -f "$1" ] || { echo 'this is not a file' >&2; exit 1; }
exec < "$1"
[ -n "$2" ] || exec sha256sum
{ { head -c "$2" || echo 'this file cannot be read' >&3; } | sha256sum; } 3>&1
`

/** The SHA-256 of a file or of its first bytes, as 64 hexadecimal digits. */
export const checksum: Subject<{ sha256: string }, { path: string; bytes?: number | undefined }> = {
  name: 'checksum',
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path, bytes = '' }) {
    const options = { seconds: fileLimits.readSeconds }
    const script = `${readPaths}${checksumScript}`
    const { stdout, stderr, exit_code } = await programs.script(script, [pathArgument(path), String(bytes)], options)
    const sha256 = /^[\da-f]{64}/.exec(stdout)?.[0]
    if (exit_code !== 0 || !sha256) throw failure(stderr || stdout)
    return { items: [{ sha256 }] }
  },
}
