import { readdir } from 'node:fs/promises'
import os from 'node:os'
import type { FileListing, HostFiles } from '../../files.ts'
import { absolutePath } from './bytePath.ts'
import { openDownload } from './download.ts'
import { toFileError } from './toFileError.ts'
import { beginUpload } from './upload.ts'

/** What the length of a name may be on the wire. */
const longestName = 255

/**
 * The files of the machine this process runs on, as its user may use them.
 * @param home the directory that stands in for those that cannot be listed, and that relative paths count from
 */
export function createLocalFiles(home = homeFolder()): HostFiles {
  /** Nothing is nowhere: only a listing takes it for the home directory. */
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
        // Whatever it is: the reply tells by its path that this is another directory.
        return listHome()
      }
    },
    open: (path) => openDownload(realOf(path), path),
    beginUpload: (path) => beginUpload(realOf(path), path),
  }
}

/** Names that do not fit are left out: there is no way to ask for them. */
async function entriesOf(path: Buffer): Promise<FileListing['entries']> {
  const found = await readdir(path, { encoding: 'buffer', withFileTypes: true })
  return found
    .filter(({ name }) => name.length <= longestName)
    .sort((a, b) => Buffer.compare(a.name, b.name))
    .map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
}

/** As a login would have it, whatever the environment of the server says. */
function homeFolder(): string {
  try {
    return os.userInfo().homedir
  } catch {
    // A user without a name, as in containers.
    return os.homedir()
  }
}
