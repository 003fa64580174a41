import { statfs } from 'node:fs/promises'
import { querySystemInformation, readProcFile, withTimeout } from './querySystemInformation.ts'

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

/** A local filesystem that is counted. */
interface Mount {
  path: string
  /** Mounts of one group share their free space, which is counted once. */
  group: string
  isOverlay: boolean
}

/** Types of local filesystems whose source is not a block device. */
const TYPES_WITHOUT_DEVICE = new Set(['zfs', 'btrfs', 'bcachefs', 'simfs'])
/** Read-only images, which are always full. */
const IMAGE_TYPES = new Set(['squashfs', 'erofs', 'iso9660', 'udf', 'cramfs'])

/**
 * Finds in `/proc/self/mountinfo` the filesystems with the machine's data: no memory filesystems, images or network
 * shares, and each device once, even with several bind mounts. The root is always counted: in a container it is an
 * overlay and represents the disk below it.
 */
export function parseMounts(mountinfo: string): Mount[] {
  const mounts = new Map<string, Mount>()
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    const [, , device = '', , rawPath = ''] = before.split(' ')
    const [type = '', source = ''] = after.split(' ')
    const path = decodePath(rawPath)
    if (!path || IMAGE_TYPES.has(type)) continue
    const isLoop = source.startsWith('/dev/loop')
    const isDisk = (source.startsWith('/dev/') && !isLoop) || TYPES_WITHOUT_DEVICE.has(type)
    if (!isDisk && (path !== '/' || type === 'rootfs')) continue
    const isPool = type === 'zfs'
    const group = isPool ? `zfs ${source.split('/')[0]}` : device
    // Each dataset of a pool has its own size; any other device has one, regardless of the number of mounts.
    const key = isPool ? source : group
    if (!mounts.has(key)) mounts.set(key, { path, group, isOverlay: type === 'overlay' })
  }
  return [...mounts.values()]
}

/** The kernel escapes spaces and backslashes in paths as octal numbers: `\040`. */
function decodePath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/** Bytes of one filesystem. */
interface FilesystemSpace {
  group: string
  used: number
  free: number
}

/** The sum over all filesystems, in bytes, with the free space of a group counted once. */
export function sumSpace(spaces: FilesystemSpace[]): { total: number; used: number } {
  const free = new Map<string, number>()
  let used = 0
  for (const space of spaces) {
    used += space.used
    free.set(space.group, Math.max(free.get(space.group) ?? 0, space.free))
  }
  return { used, total: [...free.values()].reduce((sum, bytes) => sum + bytes, used) }
}
