import type { LocalFile } from './droppedFiles.ts'
import { type Entry, joinPath, parentOf, type RawPath, rawFromText, shownPath } from './remotePath.ts'

/** One file to upload. */
export interface Upload {
  /** Remote path. */
  target: RawPath
  /** Display name: its path below the open folder. */
  name: string
  file: File
  /** Whether a file of that name is there already. */
  exists: boolean
  /** The file itself, where the browser can remember it. */
  handle?: FileSystemFileHandle
  /** The name of its part on the machine: see `newUploadId`. */
  part?: string
}

export interface UploadPlan {
  uploads: Upload[]
  /** Folders that are made first. */
  newFolders: RawPath[]
  /** Display names of folders that do not exist, where none can be made: their files are left out. */
  missingFolders: string[]
  /** Number of files that are left out for that. */
  leftOut: number
  /** Display names of files whose name is taken by a folder. */
  blocked: string[]
}

/** Lists a folder; `undefined` when it cannot be listed. */
export type ListFolder = (path: RawPath) => Promise<readonly Entry[] | undefined>

interface Source {
  files: readonly LocalFile[]
  /** Paths of folders without files. */
  folders?: readonly string[]
}

/**
 * Checks every target folder before anything is sent: an upload overwrites without asking.
 * @param makesFolders whether folders that are missing can be made
 */
export async function planUploads(
  folder: RawPath,
  { files, folders = [] }: Source,
  list: ListFolder,
  makesFolders = false,
): Promise<UploadPlan> {
  const plan: UploadPlan = { uploads: [], newFolders: [], missingFolders: [], leftOut: 0, blocked: [] }
  const missing: string[] = []
  for (const [path, members] of byFolder(folder, files, makesFolders ? folders : [])) {
    // A folder inside a missing one is missing too; listing it would only take time.
    const isKnownMissing = missing.some((above) => path.startsWith(`${above}/`))
    const entries = isKnownMissing ? undefined : await list(path)
    if (!entries) missing.push(path)
    if (!entries && makesFolders) {
      plan.newFolders.push(path)
      for (const { path: name, ...local } of members) {
        const raw = rawFromText(name.slice(name.lastIndexOf('/') + 1))
        plan.uploads.push({ target: joinPath(path, raw), name, ...local, exists: false })
      }
      continue
    }
    if (!entries) {
      plan.missingFolders.push(shownPath(path))
      plan.leftOut += members.length
      continue
    }
    const byName = new Map(entries.map((entry) => [entry.raw, entry]))
    for (const { path: name, ...local } of members) {
      const raw = rawFromText(name.slice(name.lastIndexOf('/') + 1))
      const existing = byName.get(raw)
      if (existing?.isFolder) plan.blocked.push(name)
      else plan.uploads.push({ target: joinPath(path, raw), name, ...local, exists: existing !== undefined })
    }
  }
  return plan
}

/** Files by the folder they go to; a folder comes before those inside it. */
function byFolder(folder: RawPath, files: readonly LocalFile[], empty: readonly string[]): [RawPath, LocalFile[]][] {
  const folders = new Map<RawPath, LocalFile[]>(empty.map((path) => [joinPath(folder, rawFromText(path)), []]))
  for (const file of files) {
    const path = parentOf(joinPath(folder, rawFromText(file.path))) ?? folder
    const members = folders.get(path)
    if (members) members.push(file)
    else folders.set(path, [file])
  }
  return [...folders].sort(([a], [b]) => (a < b ? -1 : 1))
}
