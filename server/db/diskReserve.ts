import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, ftruncateSync, openSync, statfsSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** What the file of the reserve has after the name of its database. */
export const reserveEnding = '.reserve'

/** Room on the disk that is kept for what must be written on a full one too. */
export interface DiskReserve {
  /** Gives a part of it back to the disk. @returns whether there was any left */
  release(): boolean
  /** Takes again what was given back. @returns whether all of it is there */
  restore(): boolean
}

/**
 * Bytes. A sign-out takes 20 KiB of the journal, which is used again from its beginning; the deletion of a user with a
 * thousand records about 1 MiB.
 */
const mostBytes = 4 * 1024 ** 2
/** Bytes that are given back at once: what other programs do not get in the meantime is there for the next time. */
const stepBytes = 256 * 1024
/** On a small disk the reserve takes this part of what is free. */
const partOfFree = 1 / 4

/**
 * A file beside the database, whose room is given back when a write finds none that must not fail. Its bytes are random,
 * because zeros take no room on a disk that compresses.
 * It is made as large as it should be, if there is room.
 */
export function createDiskReserve(database: string): DiskReserve {
  const path = database + reserveEnding
  const most = Math.min(mostBytes, sizeNow(path) + freeBytes(path) * partOfFree)
  const target = Math.floor(most / stepBytes) * stepBytes

  function restore(): boolean {
    return withFile(path, (file) => {
      for (let size = fstatSync(file).size; size < target; ) {
        const missing = Math.min(stepBytes, target - size)
        const written = writeSync(file, randomBytes(missing), 0, missing, size)
        if (written < missing) return false
        size += written
      }
      return true
    })
  }

  restore()
  return {
    restore,
    release: () =>
      withFile(path, (file) => {
        const { size } = fstatSync(file)
        if (size === 0) return false
        ftruncateSync(file, Math.max(0, size - stepBytes))
        return true
      }),
  }
}

/** @returns what `work` returns, or `false` when the file cannot be made or written */
function withFile(path: string, work: (file: number) => boolean): boolean {
  let file: number | undefined
  try {
    // Made when it is missing, and never emptied.
    file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
    return work(file)
  } catch {
    return false
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const sizeNow = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return 0
  }
}
