/** A local filesystem worth counting. */
export interface Mount {
  path: string
  /** Mounts of one group share their free space: it is counted once. */
  group: string
  isOverlay: boolean
}

/** Filesystems without a block device as their source that still are local disks. */
const DISKS_WITHOUT_DEVICE = new Set(['zfs', 'btrfs', 'bcachefs', 'simfs'])
/** Read-only images: full by nature. */
const IMAGES = new Set(['squashfs', 'erofs', 'iso9660', 'udf', 'cramfs'])

/**
 * Picks from `/proc/self/mountinfo` the filesystems that hold the machine's data, each once: no memory filesystems,
 * images or network shares, and one mount per device however often it is bound. The root counts whatever it is: in a
 * container it is an overlay, and stands for the disk below it.
 */
export function parseMounts(mountinfo: string): Mount[] {
  const mounts = new Map<string, Mount>()
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    const [, , device = '', , rawPath = ''] = before.split(' ')
    const [type = '', source = ''] = after.split(' ')
    const path = decodePath(rawPath)
    if (!path || IMAGES.has(type)) continue
    const isLoop = source.startsWith('/dev/loop')
    const isDisk = (source.startsWith('/dev/') && !isLoop) || DISKS_WITHOUT_DEVICE.has(type)
    if (!isDisk && (path !== '/' || type === 'rootfs')) continue
    const isPool = type === 'zfs'
    const group = isPool ? `zfs ${source.split('/')[0]}` : device
    // Every dataset of a pool has figures of its own; any other device has one set, however many mounts.
    const key = isPool ? source : group
    if (!mounts.has(key)) mounts.set(key, { path, group, isOverlay: type === 'overlay' })
  }
  return [...mounts.values()]
}

/** The kernel writes blanks and backslashes in paths as octal numbers: `\040`. */
function decodePath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/** Bytes of one filesystem. */
export interface Space {
  group: string
  used: number
  free: number
}

/** The sum over all filesystems, in bytes, with the free space of a group counted once. */
export function sumSpace(spaces: Space[]): { total: number; used: number } {
  const free = new Map<string, number>()
  let used = 0
  for (const space of spaces) {
    used += space.used
    free.set(space.group, Math.max(free.get(space.group) ?? 0, space.free))
  }
  return { used, total: [...free.values()].reduce((sum, bytes) => sum + bytes, used) }
}
