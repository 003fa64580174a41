/** A local filesystem that is counted. */
export interface Mount {
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
export interface FilesystemSpace {
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
