import { pathTextOf } from '../../../src/domain/files/pathText.ts'
import { answerLimits } from '../../../src/schemas/inspect/answer.ts'
import type { FileItem, FileKind } from '../../../src/schemas/inspect/files.ts'
import { timestamp } from '../../wire/timestamp.ts'
import { failure, notInstalled } from '../machine/programs.ts'
import type { Subject } from '../machine/subject.ts'
import { pathArgument, readPaths } from './filePaths.ts'

/**
 * What GNU and busybox both print: each record ends with a slash, which no name has. The answer is in base64 (in
 * hexadecimal digits where there is no base64), for names need not be UTF-8.
 */
const script = `${readPaths}
cd -- "$1" || exit 1
stat -c %s . >/dev/null 2>&1 || exit 127
if command -v base64 >/dev/null 2>&1; then echo base64; coder=base64; else echo hex; coder='od -An -v -tx1'; fi
{
  find . -mindepth 1 -maxdepth 1 -exec stat -c '%f %s %Y %u %g %U %G/%n/' {} +
  find . -mindepth 1 -maxdepth 1 -type l -exec stat -L -c '%f/%n/' {} +
} 2>/dev/null | $coder
`

/** What is in a folder, with size, date, owner and rights. */
export const folder: Subject<FileItem, { path: string }> = {
  name: 'files',
  // Who acts, and who asks again, wants to see what is there now.
  freshMs: 0,
  workShare: 0,
  async ask(programs, { path }) {
    const { stdout, stderr, exit_code, stdout_truncated } = await programs.script(script, [pathArgument(path)])
    if (exit_code === 127) throw notInstalled('stat')
    if (exit_code !== 0) throw failure(stderr)
    const items = parseFolder(stdout)
    return { items, ...(stdout_truncated && { truncated: true }) }
  },
}

/** The kinds by the first of the four hexadecimal digits of the mode: `81a4`. */
const kinds: Readonly<Record<string, FileKind>> = {
  1: 'pipe',
  2: 'device',
  4: 'folder',
  6: 'device',
  8: 'file',
  a: 'link',
  c: 'socket',
}

/** The answer of the script. What is cut off at its end is left out. */
export function parseFolder(output: string): FileItem[] {
  const start = output.indexOf('\n') + 1
  const coder = output.slice(0, start - 1)
  // One character a byte: names are told apart by their bytes.
  const text = Buffer.from(output.slice(start).replace(/\s/g, ''), coder === 'hex' ? 'hex' : 'base64').toString(
    'latin1',
  )
  const parts = text.split('/')
  const items = new Map<string, FileItem>()
  // Three for each: what is known, a dot, the name.
  for (let at = 0; at + 3 < parts.length && items.size <= answerLimits.items; at += 3) {
    const [known = '', , raw = ''] = parts.slice(at, at + 3)
    const [mode = '', size, ...more] = known.trim().slice(0, maxKnown).split(' ')
    const kind = /^[\da-f]{4}$/.test(mode) ? kinds[mode.charAt(0)] : undefined
    if (!kind || raw === '') continue
    const link = items.get(raw)
    if (size === undefined && link) link.target = kind
    else if (size !== undefined) items.set(raw, itemOf(raw, kind, [mode, size, ...more]))
  }
  return [...items.values()]
}

/** Characters of what is known about an entry: two names of 256 at most, and numbers. */
const maxKnown = 1024

function itemOf(raw: string, kind: FileKind, known: readonly string[]): FileItem {
  const [mode = '', size, seconds, uid = '', gid = '', owner = '', group = ''] = known
  const modified = momentOf(Number(seconds))
  return {
    name: pathTextOf(Buffer.from(raw, 'latin1')),
    kind,
    size: Number(size) || 0,
    ...(modified && { modified }),
    mode: (Number.parseInt(mode, 16) & 0o7777).toString(8).padStart(4, '0'),
    owner: nameOf(owner, uid),
    group: nameOf(group, gid),
  }
}

/** GNU and busybox have this word for numbers without a name. */
const nameOf = (name: string, number: string) => (name === 'UNKNOWN' || name === '' ? number : name)

/** Seconds since 1970 to the year 10,000. */
const endOfCalendar = 253_402_300_800

/** File systems keep moments that no calendar has. */
function momentOf(seconds: number): string | undefined {
  return seconds >= 0 && seconds < endOfCalendar ? timestamp(seconds * 1000) : undefined
}
