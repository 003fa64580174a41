import type { LocalFile } from './droppedFiles.ts'
import type { Entry } from './entries.ts'
import { joinPath, parentOf, type RawPath, rawFromText, shownPath } from './remotePath.ts'

/** One file on its way. */
export interface Upload {
  /** Where it goes. */
  target: RawPath
  /** For reading: below the folder that is open. */
  name: string
  file: File
  /** Whether a file of that name is there already. */
  exists: boolean
}

export interface UploadPlan {
  uploads: Upload[]
  /** Folders that are not there, for reading: their files are left out, for no folder can be made from here. */
  missingFolders: string[]
  /** How many files are left out for that. */
  leftOut: number
  /** Files whose name belongs to a folder there, for reading. */
  blocked: string[]
}

/** Lists a folder; `undefined` when it cannot be listed. */
export type ListFolder = (path: RawPath) => Promise<readonly Entry[] | undefined>

/** Looks at every folder that files are to go to, before anything is sent: uploading overwrites without a question. */
export async function planUploads(folder: RawPath, files: readonly LocalFile[], list: ListFolder): Promise<UploadPlan> {
  const plan: UploadPlan = { uploads: [], missingFolders: [], leftOut: 0, blocked: [] }
  for (const [path, members] of byFolder(folder, files)) {
    // A folder inside a missing one is missing too, and asking for it would take as long again.
    const isKnownMissing = plan.missingFolders.some((missing) => shownPath(path).startsWith(`${missing}/`))
    const entries = isKnownMissing ? undefined : await list(path)
    if (!entries) {
      plan.missingFolders.push(shownPath(path))
      plan.leftOut += members.length
      continue
    }
    const there = new Map(entries.map((entry) => [entry.raw, entry]))
    for (const { path: name, file } of members) {
      const raw = rawFromText(name.slice(name.lastIndexOf('/') + 1))
      const twin = there.get(raw)
      if (twin?.isFolder) plan.blocked.push(name)
      else plan.uploads.push({ target: joinPath(path, raw), name, file, exists: twin !== undefined })
    }
  }
  return plan
}

/** Files by the folder they go to; a folder comes before those inside it. */
function byFolder(folder: RawPath, files: readonly LocalFile[]): [RawPath, LocalFile[]][] {
  const folders = new Map<RawPath, LocalFile[]>()
  for (const file of files) {
    const path = parentOf(joinPath(folder, rawFromText(file.path))) ?? folder
    const members = folders.get(path)
    if (members) members.push(file)
    else folders.set(path, [file])
  }
  return [...folders].sort(([a], [b]) => (a < b ? -1 : 1))
}
