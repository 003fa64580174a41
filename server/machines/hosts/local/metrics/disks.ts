import { statfs } from 'node:fs/promises'
import { type FilesystemSpace, type Mount, parseMounts, sumSpace } from './mounts.ts'
import { querySystemInformation } from './querySystemInformation.ts'
import { readProcFile } from './readSystemFile.ts'
import { withTimeout } from './withTimeout.ts'

/** Bytes. */
export interface DiskSpace {
  total: number
  used: number
}

/** A failing disk, or one that is really on a network, may never reply; it is not counted then. */
const TIMEOUT_MS = 2000

/** Whether the disk mounted at a path is counted. */
export type IsCounted = (path: string) => boolean

/** Returns a function that sums the disks of a Linux machine. @param proc where /proc is mounted */
export function createLinuxDiskReader(proc: string, isCounted: IsCounted = () => true): () => Promise<DiskSpace> {
  // A call that hangs occupies one of the four threads of the pool, so a disk is not asked again while one is pending.
  const pending = new Set<string>()

  async function spaceOf({
    path,
    group,
    isOverlay,
  }: Mount): Promise<(FilesystemSpace & { isOverlay: boolean }) | undefined> {
    if (pending.has(path)) return undefined
    pending.add(path)
    const request = statfs(path)
      // Unmounted since the list was read, or not readable: it is not counted.
      .catch(() => undefined)
      .finally(() => pending.delete(path))
    const result = await withTimeout(request, TIMEOUT_MS, undefined)
    if (!result) return undefined
    const free = result.bfree * result.bsize
    return { group, free, used: result.blocks * result.bsize - free, isOverlay }
  }

  return async () => {
    const mounts = parseMounts(readProcFile(`${proc}/self/mountinfo`)).filter(({ path }) => isCounted(path))
    const spaces = (await Promise.all(mounts.map(spaceOf))).filter((space) => space !== undefined)
    return sumSpace(withoutDuplicateOverlays(spaces))
  }
}

/** Drops overlays that have the size of another mount: they show the disk below, which is counted already. */
export function withoutDuplicateOverlays<T extends FilesystemSpace & { isOverlay: boolean }>(spaces: T[]): T[] {
  const size = (space: FilesystemSpace) => space.used + space.free
  const sizes = new Set(spaces.filter((space) => !space.isOverlay).map(size))
  return spaces.filter((space) => !space.isOverlay || !sizes.has(size(space)))
}

/** Sums the disks on systems without /proc. */
export async function readPortableDisks(isCounted: IsCounted): Promise<DiskSpace> {
  const found = await querySystemInformation('disks', (library) => library.fsSize())
  const local = found.filter(({ fs, mount }) => /^(\/dev\/|[A-Z]:)/.test(fs) && isCounted(mount))
  // On macOS the volumes of one container (disk3s1, disk3s5) share its free space.
  return sumSpace(
    local.map(({ fs, used, available }) => ({ group: /^\/dev\/disk\d+/.exec(fs)?.[0] ?? fs, used, free: available })),
  )
}
