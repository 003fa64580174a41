import { readdir } from 'node:fs/promises'
import os from 'node:os'
import type { FileListing, HostFiles } from '../../files.ts'
import { absolutePath } from './bytePath.ts'
import { openDownload } from './download.ts'
import { toFileError } from './toFileError.ts'
import { beginUpload } from './upload.ts'

/** The wire has one byte for the length of a name. */
const maxNameBytes = 255

/**
 * The files of the machine this process runs on, with the permissions of its user.
 * @param home listed instead of directories that cannot be listed; the base of relative paths
 */
export function createLocalFiles(home = homeFolder()): HostFiles {
  /** An empty path stays empty and fails, so that a listing shows the home directory instead. */
  const realOf = (path: Uint8Array) => (path.length === 0 ? Buffer.alloc(0) : absolutePath(path, Buffer.from(home)))

  async function listHome(): Promise<FileListing> {
    const path = Buffer.from(`${home.replace(/\/+$/, '')}/`)
    try {
      return { path, entries: await entriesOf(path) }
    } catch (error) {
      throw toFileError('open', path, error)
    }
  }

  return {
    async list(path) {
      try {
        return { path, entries: await entriesOf(realOf(path)) }
      } catch {
        // As real agents do; the client sees from the path that this is another directory.
        return listHome()
      }
    },
    open: (path) => openDownload(realOf(path), path),
    beginUpload: (path) => beginUpload(realOf(path), path),
  }
}

/** Leaves out names that are too long for the wire. */
async function entriesOf(path: Buffer): Promise<FileListing['entries']> {
  const entries = await readdir(path, { encoding: 'buffer', withFileTypes: true })
  return entries
    .filter(({ name }) => name.length <= maxNameBytes)
    .sort((a, b) => Buffer.compare(a.name, b.name))
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
}

/** The home directory of the account, even if HOME of the server is different. */
function homeFolder(): string {
  try {
    return os.userInfo().homedir
  } catch {
    // The user has no account, as in containers.
    return os.homedir()
  }
}
