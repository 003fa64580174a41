import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperationError, type RemoveOrder, type RemoveResult } from '../../operations.ts'

/** Deletes a file, a link but not its target, or a folder. @throws OperationError, or the system's error */
export async function deleteFile({ path, recursive }: RemoveOrder): Promise<RemoveResult> {
  const target = resolve(path)
  if (target === '/') throw new OperationError('refused', 'refusing to delete root')
  if (!(await lstat(target)).isDirectory()) {
    await unlink(target)
    return { deleted_count: 1 }
  }
  if (!recursive) {
    await rmdir(target)
    return { deleted_count: 1 }
  }
  const { length } = await readdir(target, { recursive: true })
  await rm(target, { recursive: true })
  return { deleted_count: length + 1 }
}
