import { statfs } from 'node:fs/promises'
import { type Mount, parseMounts, type Space, sumSpace } from './mounts.ts'
import { readProcText } from './readText.ts'
import { askLibrary } from './systemInformation.ts'
import { withPatience } from './withTimeout.ts'

/** Bytes. */
export interface DiskSpace {
  total: number
  used: number
}

/** A dying disk or a device that is really on a network may never answer; its figures are left out then. */
const PATIENCE_MS = 2000

/** Whether a disk that is mounted at a path is counted. */
export type IsCounted = (path: string) => boolean

/** Sums the disks of a Linux machine. `proc` is where /proc is mounted. */
export function createLinuxDisks(proc: string, isCounted: IsCounted = () => true): () => Promise<DiskSpace> {
  // Each unanswered call holds a thread of the pool, and there are four: a hanging disk is asked once, not every time.
  const unanswered = new Set<string>()

  async function spaceOf({ path, group, isOverlay }: Mount): Promise<(Space & { isOverlay: boolean }) | undefined> {
    if (unanswered.has(path)) return undefined
    unanswered.add(path)
    const asked = statfs(path)
      // Gone since the list was read, or not ours to see: it is not counted.
      .catch(() => undefined)
      .finally(() => unanswered.delete(path))
    const answer = await withPatience(asked, PATIENCE_MS, undefined)
    if (!answer) return undefined
    const free = answer.bfree * answer.bsize
    return { group, free, used: answer.blocks * answer.bsize - free, isOverlay }
  }

  return async () => {
    const mounts = parseMounts(readProcText(`${proc}/self/mountinfo`)).filter(({ path }) => isCounted(path))
    const spaces = (await Promise.all(mounts.map(spaceOf))).filter((space) => space !== undefined)
    return sumSpace(withoutShadows(spaces))
  }
}

/** An overlay shows the size of the disk below it; when that disk is mounted as well, it is counted as itself. */
export function withoutShadows<T extends Space & { isOverlay: boolean }>(spaces: T[]): T[] {
  const size = (space: Space) => space.used + space.free
  const sizes = new Set(spaces.filter((space) => !space.isOverlay).map(size))
  return spaces.filter((space) => !space.isOverlay || !sizes.has(size(space)))
}

/** Sums the disks where there is no /proc. */
export async function portableDisks(isCounted: IsCounted): Promise<DiskSpace> {
  const found = await askLibrary('disks', (library) => library.fsSize())
  const local = found.filter(({ fs, mount }) => /^(\/dev\/|[A-Z]:)/.test(fs) && isCounted(mount))
  // On macOS the volumes of one container (disk3s1, disk3s5) share its free space.
  return sumSpace(
    local.map(({ fs, used, available }) => ({ group: /^\/dev\/disk\d+/.exec(fs)?.[0] ?? fs, used, free: available })),
  )
}
