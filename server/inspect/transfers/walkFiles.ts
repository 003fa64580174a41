import { fileLimits } from '../../../src/schemas/inspect/files.ts'
import { type Programs, Silence } from '../machine/programs.ts'
import { pathBytesArgument as argumentOf } from '../subjects/filePaths.ts'
import { type FolderEntry, listFolder } from './listFolder.ts'

/** An entry on the way through a folder. */
export interface WalkedEntry extends FolderEntry {
  /** From the root of the machine. */
  path: Buffer
  /** From the folder in which the walk began: `site/img/logo.png`. */
  relative: Buffer
}

/** Notes what could not be taken along, and why. */
export type LeaveOut = (path: Uint8Array, reason: string) => void

/**
 * How deep folders may lie in each other; the kernel takes no longer paths anyway. And how many entries the folders on one way
 * down may have together, which are in memory.
 */
const most = { depth: 512, entries: 300_000 } as const

const slash = Buffer.from('/')
const joined = (folder: Buffer, name: Buffer) =>
  folder.length === 0 || folder.at(-1) === slash[0]
    ? Buffer.concat([folder, name])
    : Buffer.concat([folder, slash, name])

/**
 * Files and folders with all that is in them, on the file system on which each begins. A folder comes before what is in it,
 * and is listed when its turn comes, so that memory holds the lists of the folders on one way down.
 * @param roots from the root of the machine, without a slash at the end
 * @param leaveOut called with what is not walked, and why
 * @throws Silence when the machine has gone, and does not answer any more
 */
export async function* walkFiles(
  programs: Programs,
  roots: readonly Buffer[],
  leaveOut: LeaveOut,
): AsyncGenerator<WalkedEntry> {
  /** @returns nothing for what cannot be listed, which is noted */
  async function entriesOf(folder: Buffer, name?: Buffer): Promise<FolderEntry[]> {
    const path = name ? joined(folder, name) : folder
    try {
      const argument = name && argumentOf(joined(slash, name)).slice(1)
      // A link that has taken the place of a folder meanwhile leads elsewhere; above what was chosen it is on the way.
      const which = { name: argument, mayBeLink: name !== undefined }
      const { entries, complaint } = await listFolder(programs, argumentOf(folder), which)
      if (complaint) leaveOut(path, complaint)
      else if (name && entries.length === 0) leaveOut(path, 'not there')
      return entries
    } catch (error) {
      if (!(error instanceof Silence) || error.silence !== 'failed') throw error
      leaveOut(path, error.message)
      return []
    }
  }

  async function* inside(folder: WalkedEntry, depth: number, held: number): AsyncGenerator<WalkedEntry> {
    if (depth > most.depth) return leaveOut(folder.path, 'too deep')
    const entries = await entriesOf(folder.path)
    const count = held + entries.length
    if (count > most.entries) return leaveOut(folder.path, 'too many entries in it and the folders above it')
    for (const entry of entries) {
      const walked = { ...entry, path: joined(folder.path, entry.name), relative: joined(folder.relative, entry.name) }
      if (walked.path.length > fileLimits.path) {
        leaveOut(walked.path, `its path has more than ${fileLimits.path} bytes`)
        continue
      }
      if (entry.kind === 'folder' && entry.device !== folder.device) {
        leaveOut(walked.path, 'another file system')
        continue
      }
      yield walked
      if (entry.kind === 'folder') yield* inside(walked, depth + 1, count)
    }
  }

  for (const root of roots) {
    const at = root.lastIndexOf(slash)
    const [folder, name] = [at === 0 ? slash : root.subarray(0, at), root.subarray(at + 1)]
    const [entry] = await entriesOf(folder, name)
    if (!entry) continue
    const walked = { ...entry, path: root, relative: name, name }
    yield walked
    if (entry.kind === 'folder') yield* inside(walked, 0, 0)
  }
}
