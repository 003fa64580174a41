import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Gives a file a new text, or leaves it as it was when that fails, as on a full disk: the text is written to a file beside
 * it, which then takes its name.
 * @param mode of the file. Default: what a new file of this process has
 */
export function replaceFile(path: string, text: string, mode?: number): void {
  const part = `${path}.part`
  // One that a killed process left has a mode of its own.
  rmSync(part, { force: true })
  try {
    writeFileSync(part, text, { mode, flush: true })
    // A new file loses what the umask takes, as the right of a group to write.
    if (mode !== undefined) chmodSync(part, mode)
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
