import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ApiError } from '../wire/apiCall.ts'

/** Files of other products on their way to this server. */
export interface ImportFiles {
  /** @returns what the file is called from now on @throws ApiError */
  start(bytes: number, userId: number): Promise<string>
  /** @param offset how many bytes came before @throws ApiError */
  add(file: string, userId: number, offset: number, part: Uint8Array): Promise<void>
  /** The path of a file that has come as a whole. @throws ApiError */
  whole(file: string, userId: number): string
  drop(file: string, userId: number): void
  /** Deletes files that nobody has used for an hour. @returns the others */
  sweep(): ReadonlySet<string>
  close(): void
}

interface Upload {
  userId: number
  path: string
  bytes: number
  received: number
  usedAt: number
  handle: FileHandle
  isBusy: boolean
}

/** Files that may lie here at once: one of these is two gigabytes. */
const maxFiles = 2
const idleMs = 3_600_000
/** Bytes of the disk that stay free. */
const keptFree = 512 * 1024 * 1024
const prefix = 'import-'

/**
 * Uploads lie beside the database, in files that only this server can read. Those that a killed server has left are
 * deleted.
 * @param storePath ':memory:' for a folder of the system @param now milliseconds since 1970
 */
export function createImportFiles(storePath: string, now: () => number): ImportFiles {
  const folder = storePath === ':memory:' ? join(tmpdir(), `wheelhouse-${process.pid}`) : dirname(storePath)
  const uploads = new Map<string, Upload>()
  for (const name of storePath === ':memory:' ? [] : readdirSync(folder)) {
    if (name.startsWith(prefix) && name.endsWith('.part')) rmSync(join(folder, name), { force: true })
  }

  function find(file: string, userId: number): Upload {
    const upload = uploads.get(file)
    if (!upload || upload.userId !== userId) throw new ApiError('there is no such file any more: upload it again')
    upload.usedAt = now()
    return upload
  }

  function remove(file: string): void {
    const upload = uploads.get(file)
    uploads.delete(file)
    // Whoever still writes to it fails, and says so.
    void upload?.handle.close().catch(() => {})
    if (upload) rmSync(upload.path, { force: true })
  }

  function sweep(): ReadonlySet<string> {
    for (const [file, { usedAt }] of uploads) if (now() - usedAt > idleMs) remove(file)
    return new Set(uploads.keys())
  }

  /** Somebody has one file, which the next one replaces. @throws ApiError when others have as many as may be */
  function makeRoom(userId: number): void {
    for (const [file, upload] of uploads) if (upload.userId === userId) remove(file)
    if (uploads.size >= maxFiles) throw new ApiError('others are importing files: try again when they are done')
  }

  return {
    async start(bytes, userId) {
      sweep()
      makeRoom(userId)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < bytes + keptFree)
        throw new ApiError('the disk of the server has too little room for this file')
      const file = randomBytes(16).toString('hex')
      const path = join(folder, `${prefix}${file}.part`)
      const handle = await open(path, 'wx', 0o600)
      try {
        // Others may have begun meanwhile.
        makeRoom(userId)
      } catch (error) {
        await handle.close()
        rmSync(path, { force: true })
        throw error
      }
      uploads.set(file, { userId, path, bytes, received: 0, usedAt: now(), handle, isBusy: false })
      return file
    },
    async add(file, userId, offset, part) {
      const upload = find(file, userId)
      if (upload.isBusy || offset !== upload.received)
        throw new ApiError(
          `the part begins at ${offset}, and ${upload.received} bytes have come: upload the file again`,
        )
      if (offset + part.length > upload.bytes) throw new ApiError('the file is longer than it was said to be')
      upload.isBusy = true
      try {
        await upload.handle.write(part, 0, part.length, offset)
        upload.received += part.length
      } finally {
        upload.isBusy = false
      }
    },
    whole(file, userId) {
      const { path, bytes, received } = find(file, userId)
      if (received < bytes) throw new ApiError(`${received} of ${bytes} bytes have come: upload the rest first`)
      return path
    },
    drop(file, userId) {
      if (uploads.get(file)?.userId === userId) remove(file)
    },
    sweep,
    close() {
      for (const file of uploads.keys()) remove(file)
    },
  }
}
