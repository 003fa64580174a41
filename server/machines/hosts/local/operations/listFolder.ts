import type { Stats } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type ListOrder, type ListResult, operationLimits } from '../../operations.ts'

type Entry = ListResult['entries'][number]

/** How many entries are looked at together: each takes a place in the pool of the file system. */
const batch = 64

/** @throws the system's error */
export async function listFolder({ path, show_hidden }: ListOrder): Promise<ListResult> {
  const names = (await readdir(path)).filter((name) => show_hidden || !name.startsWith('.'))
  const entries: Entry[] = []
  const listed = names.slice(0, operationLimits.listedEntries)
  for (let start = 0; start < listed.length; start += batch) {
    const found = await Promise.all(listed.slice(start, start + batch).map((name) => describe(path, name)))
    entries.push(...found.flatMap((entry) => entry ?? []))
  }
  return { entries, total: names.length, ...(names.length > listed.length && { truncated: true }) }
}

/** `undefined` for one that has gone in the meantime. */
async function describe(folder: string, name: string): Promise<Entry | undefined> {
  try {
    const path = join(folder, name)
    const stats = await lstat(path)
    const link = stats.isSymbolicLink() && { is_symlink: true, link_target: await readlink(path) }
    const mode = (stats.mode & 0o777).toString(8).padStart(4, '0')
    return { name, type: typeOf(stats), size: stats.size, mode, mtime: Math.floor(stats.mtimeMs / 1000), ...link }
  } catch {
    return undefined
  }
}

function typeOf(stats: Stats): string {
  if (stats.isDirectory()) return 'dir'
  if (stats.isSymbolicLink()) return 'symlink'
  return stats.isFile() ? 'file' : 'other'
}
