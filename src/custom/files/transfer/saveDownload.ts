import type { Saved, Target } from './downloadTargets.ts'
import { hasPrivateFiles, newPrivateName, privateFile } from './privateFiles.ts'

/** Downloads into memory above this many bytes need the user's consent. */
const memoryLimit = 256 * 1024 * 1024
/** How long the browser may take to copy an offered file, in ms. */
const removeAfterMs = 60 * 60_000

/** The part of the File System Access API that is used; only some browsers have it. */
interface SavePicker {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>
}

/**
 * Where a download goes: a file that the person picks, else the browser's own storage, else memory. Must be called
 * from a click. `undefined`: the person picked nothing.
 */
export async function chooseTarget(name: string): Promise<Target | undefined> {
  const { showSaveFilePicker } = window as SavePicker
  if (showSaveFilePicker) {
    try {
      return { kind: 'picked', handle: await showSaveFilePicker.call(window, { suggestedName: name }) }
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return undefined
      console.warn('The browser lets no file be picked; its own storage is used.', error)
    }
  }
  if (await hasPrivateFiles()) return { kind: 'private', name: newPrivateName() }
  return inMemory()
}

/** @param limit bytes above which it fails with `needs_memory` */
export const inMemory = (limit = memoryLimit): Target => ({ kind: 'memory', limit, otherwise: 'needs_memory' })

/**
 * The type of bytes of any kind: no program opens them by itself, and the browser adds no ending to a name that has none,
 * as it does to what looks like text.
 */
const unknownType = 'application/octet-stream'

/** Makes the empty file that a machine has: it sends no content that could be stored. */
export async function saveEmpty(target: Target): Promise<Saved> {
  if (target.kind !== 'picked') return { kind: 'memory', blob: new Blob() }
  const stream = await target.handle.createWritable()
  await stream.close()
  return { kind: 'picked' }
}

/** What was saved, to be read again; `undefined` where it cannot be, as when somebody has moved the file away. */
export async function savedContent(saved: Saved, target: Target): Promise<Blob | undefined> {
  if (saved.kind === 'memory') return saved.blob
  try {
    if (saved.kind === 'private') return await (await privateFile(saved.name)).handle.getFile()
    return target.kind === 'picked' ? await target.handle.getFile() : undefined
  } catch (error) {
    console.warn('A download could not be read again.', error)
    return undefined
  }
}

/** Adds a saved file to the browser's downloads; a picked file is in its place already. */
export async function offerDownload(saved: Saved, name: string): Promise<void> {
  if (saved.kind === 'picked') return
  const stored = saved.kind === 'private' ? await privateFile(saved.name) : undefined
  const content = saved.kind === 'memory' ? saved.blob : ((await stored?.handle.getFile()) as File)
  const url = URL.createObjectURL(content.slice(0, content.size, unknownType))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => {
    URL.revokeObjectURL(url)
    void stored?.remove()
  }, removeAfterMs)
}

/** Removes the empty file that browsers leave behind when a download into a picked file fails. */
export async function discardPicked(target: Target): Promise<void> {
  if (target.kind !== 'picked') return
  const { handle } = target as { handle: FileSystemFileHandle & { remove?(): Promise<void> } }
  try {
    if ((await handle.getFile()).size === 0) await handle.remove?.()
  } catch (error) {
    console.warn('An empty file was left behind.', error)
  }
}
