/** A file of this computer and where it is to go, below the folder that is open: `site/img/logo.png`. */
export interface LocalFile {
  path: string
  file: File
}

/** What a file picker gives; folders come with the paths inside them. */
export function pickedFiles(files: Iterable<File>): LocalFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** What was dropped, with everything inside dropped folders. Must be called while the drop event is being handled. */
export function droppedFiles({ items, files }: DataTransfer): Promise<LocalFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry != null)
  if (!entries.length) return Promise.resolve(pickedFiles(files))
  return collect(entries)
}

async function collect(entries: readonly FileSystemEntry[]): Promise<LocalFile[]> {
  const found: LocalFile[] = []
  for (const entry of entries) {
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
      found.push({ path: entry.fullPath.replace(/^\//, ''), file })
    } else found.push(...(await collect(await readAll(entry as FileSystemDirectoryEntry))))
  }
  return found
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

/** A reader gives a hundred or so at a time, and nothing when it is through. */
async function readAll(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (!some.length) return all
    all.push(...some)
  }
}
