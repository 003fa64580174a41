/** A local file and its target path below the open folder, such as `site/img/logo.png`. */
export interface LocalFile {
  path: string
  file: File
  /** The file itself, where the browser can remember it: after a reload it need not be chosen again. */
  handle?: FileSystemFileHandle
}

/** The part of the File System Access API that is used; only some browsers have it. */
type HandleSource = DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> }

/** The files that a file picker returns; files in folders have their path inside the folder. */
export function pickedFiles(files: Iterable<File>): LocalFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

export interface Dropped {
  files: LocalFile[]
  /** Paths of folders with nothing in them. */
  folders: string[]
  /** Paths of files and folders that the browser may not read. */
  unreadable: string[]
}

/** What was dropped or pasted, with everything inside folders. Must be called while the event is being handled. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<Dropped> {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null)
  const handles = [...items].map((item: HandleSource) => item.getAsFileSystemHandle?.().catch(() => null))
  const dropped: Dropped = { files: entries.length ? [] : pickedFiles(files), folders: [], unreadable: [] }
  await collect(entries, dropped)
  for (const handle of await Promise.all(handles)) {
    const local = dropped.files.find(({ path }) => path === handle?.name)
    if (local && handle instanceof FileSystemFileHandle) local.handle = handle
  }
  return dropped
}

async function collect(entries: readonly FileSystemEntry[], into: Dropped): Promise<void> {
  for (const entry of entries) {
    const path = entry.fullPath.replace(/^\//, '')
    try {
      if (isFile(entry)) {
        const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
        into.files.push({ path, file })
      } else {
        const inside = await readAll(entry as FileSystemDirectoryEntry)
        if (inside.length === 0) into.folders.push(path)
        await collect(inside, into)
      }
    } catch {
      into.unreadable.push(path)
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** A reader returns about a hundred entries at a time, and none at the end. */
async function readAll(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (!some.length) return all
    all.push(...some)
  }
}
