import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../src/domain/errors.ts'

// Not by `recursive` of Node: where a system says of a folder above that there is none, as Linux below /proc, that tries
// for ever.

/**
 * Makes a folder with those above it.
 * @param mode of those that are made, as far as the umask lets it
 * @returns the folders that were made, the outermost first
 * @throws the system's error
 */
export async function makeFolders(path: string, mode?: number): Promise<string[]> {
  try {
    return await makeFolder(path, mode)
  } catch (error) {
    const above = dirname(path)
    if (errorCode(error) !== 'ENOENT' || above === path) throw error
    const made = await makeFolders(above, mode)
    return [...made, ...(await makeFolder(path, mode))]
  }
}

/** @returns the folder, or nothing where it is there, as when somebody else has just made it */
async function makeFolder(path: string, mode: number | undefined): Promise<string[]> {
  try {
    await mkdir(path, { mode })
    return [path]
  } catch (error) {
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory()) return []
    throw error
  }
}

/** The same without waiting for others. @throws the system's error */
export function makeFoldersSync(path: string, mode?: number): void {
  try {
    makeFolderSync(path, mode)
  } catch (error) {
    const above = dirname(path)
    if (errorCode(error) !== 'ENOENT' || above === path) throw error
    makeFoldersSync(above, mode)
    makeFolderSync(path, mode)
  }
}

function makeFolderSync(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
