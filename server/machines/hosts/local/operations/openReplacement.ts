import { chmod } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders } from '../../../../makeFolders.ts'
import type { FileSink } from '../../files.ts'
import { OperationError, type WriteOptions } from '../../operations.ts'
import { beginUpload } from '../files/upload.ts'
import { checkPresentContent } from './sha256.ts'

/** As with the usual umask; the server's own umask is stricter. */
const newFolderMode = 0o755

/** Starts to replace a file; `finish` gives it its mode too. @throws OperationError, FileError, or the system's error */
export async function openReplacement(
  path: string,
  { mode = '', if_match_sha256, create_dirs }: WriteOptions,
): Promise<FileSink> {
  const bits = readMode(mode)
  await checkPresentContent(path, if_match_sha256)
  if (create_dirs) for (const made of await makeFolders(dirname(path))) await chmod(made, newFolderMode)
  const sink = await beginUpload(Buffer.from(path), Buffer.from(path))
  return {
    ...sink,
    async finish() {
      const method = await sink.finish()
      if (bits !== undefined) await chmod(path, bits)
      return method
    },
  }
}

/** @throws OperationError */
function readMode(mode: string): number | undefined {
  if (mode === '') return undefined
  if (!/^[0-7]{1,4}$/.test(mode)) throw new OperationError('refused', `invalid mode: ${mode.slice(0, 64)}`)
  return Number.parseInt(mode, 8)
}
