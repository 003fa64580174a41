import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import { failure, notInstalled, type Programs } from '../machine/programs.ts'
import { readPaths } from '../subjects/filePaths.ts'

/** An entry of a folder, for somebody who takes it elsewhere. */
export interface FolderEntry {
  name: Buffer
  kind: 'file' | 'folder' | 'link' | 'special'
  /** Bytes. */
  size: number
  /** The bits of the mode below the type. */
  mode: number
  /** Seconds since 1970. */
  modified: number
  owner: { id: number; name: string }
  group: { id: number; name: string }
  /** The file system that it is on. */
  device: string
  /** Where a link leads to. */
  target?: Buffer
}

export interface ListedFolder {
  entries: FolderEntry[]
  /** What was said about entries that could not be looked at. */
  complaint?: string
}

/**
 * What GNU and busybox both print: records of three parts that end with a slash, which no name has. Then the links, each with
 * its name, a slash, and as many bytes as its size says. Compressed, because a program may print 1 MiB. `$2` is a name, or
 * nothing for all of them.
 */
const script = `${readPaths}
cd -- "$1" || exit 1
command -v base64 >/dev/null && command -v gzip >/dev/null || { echo 'base64 or gzip is not installed' >&2; exit 1; }
stat -c %s . >/dev/null || exit 127
{
  if [ -n "$2" ]; then stat -c '%f %s %Y %d %u %g %U %G/%n/' "./$2"
  else find . -mindepth 1 -maxdepth 1 -exec stat -c '%f %s %Y %d %u %g %U %G/%n/' {} +; fi
} | gzip -c | base64
echo -
{
  if [ -n "$2" ]; then set -- "./$2"; [ ! -L "$1" ] || { printf '%s/' "\${1#./}"; readlink "$1"; }
  else find . -mindepth 1 -maxdepth 1 -type l -exec sh -c 'for l; do printf "%s/" "\${l#./}"; readlink "$l"; done' sh {} +; fi
} 2>/dev/null | gzip -c | base64
`

/** Bytes of a list when it is uncompressed: some 500,000 entries. */
const listedBytes = 64 * 1024 * 1024
const uncompress = promisify(gunzip)

/**
 * All entries of a folder, or one of them.
 * @param path an argument, as `pathArgument` makes it
 * @param name another one: only the entry of this name
 * @throws Silence
 */
export async function listFolder(programs: Programs, path: string, name = ''): Promise<ListedFolder> {
  const result = await programs.script(script, [path, name], { seconds: fileLimits.readSeconds })
  const { stdout, stderr, exit_code, stdout_truncated } = result
  if (exit_code === 127) throw notInstalled('stat')
  if (exit_code !== 0) throw failure(stderr)
  if (stdout_truncated) throw failure('this folder has too many entries')
  const [known = '', links = ''] = stdout.split('\n-\n')
  const entries = parseEntries(await textOf(known))
  setTargets(entries, await textOf(links))
  const complaint = stderr.trim().split('\n').at(-1)?.trim()
  return { entries, ...(complaint && { complaint }) }
}

/** One character a byte. */
async function textOf(encoded: string): Promise<string> {
  const bytes = Buffer.from(encoded.replace(/\s/g, ''), 'base64')
  if (bytes.length === 0) return ''
  return (await uncompress(bytes, { maxOutputLength: listedBytes })).toString('latin1')
}

/** By the first of the four hexadecimal digits of the mode. */
const kinds: Readonly<Record<string, FolderEntry['kind']>> = { 4: 'folder', 8: 'file', a: 'link' }

function parseEntries(text: string): FolderEntry[] {
  const parts = text.split('/')
  const entries: FolderEntry[] = []
  for (let at = 0; at + 3 < parts.length; at += 3) {
    const [known = '', , name = ''] = parts.slice(at, at + 3)
    const [mode = '', size, modified, device = '', uid, gid, owner = '', group = ''] = known.trim().split(' ')
    // What a machine says must not lead out of the folder.
    if (!/^[\da-f]{4}$/.test(mode) || ['', '.', '..'].includes(name)) continue
    entries.push({
      name: Buffer.from(name, 'latin1'),
      kind: kinds[mode.charAt(0)] ?? 'special',
      size: Number(size) || 0,
      mode: Number.parseInt(mode, 16) & 0o7777,
      modified: Number(modified) || 0,
      owner: { id: Number(uid) || 0, name: owner },
      group: { id: Number(gid) || 0, name: group },
      device,
    })
  }
  return entries
}

/** Links that have gone, or changed meanwhile, stay without a target. */
function setTargets(entries: readonly FolderEntry[], text: string): void {
  const links = new Map(
    entries.filter(({ kind }) => kind === 'link').map((entry) => [entry.name.toString('latin1'), entry]),
  )
  for (let at = 0; at < text.length; ) {
    const slash = text.indexOf('/', at)
    const link = links.get(text.slice(at, slash))
    const end = slash + 1 + (link?.size ?? 0)
    if (!link || text[end] !== '\n') return
    link.target = Buffer.from(text.slice(slash + 1, end), 'latin1')
    at = end + 1
  }
}
