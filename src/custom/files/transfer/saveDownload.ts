import { hasPrivateFiles, newPrivateName, privateFile } from './privateFiles.ts'
import type { Saved, Target } from './sinks.ts'

/** Above this many bytes a download into memory is asked about first. */
const memoryLimit = 256 * 1024 * 1024
/** How long the browser may take to copy what is handed over, in ms. */
const handedOverFor = 60 * 60_000

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

/** Gives what was saved to the browser's downloads; a picked file is in its place already. */
export async function handOver(saved: Saved, name: string): Promise<void> {
  if (saved.kind === 'picked') return
  const stored = saved.kind === 'private' ? await privateFile(saved.name) : undefined
  // Left without a type: no program is to open it by itself.
  const url = URL.createObjectURL(saved.kind === 'memory' ? saved.blob : ((await stored?.handle.getFile()) as File))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => {
    URL.revokeObjectURL(url)
    void stored?.remove()
  }, handedOverFor)
}

/** A file that was picked for a download that failed is left empty by the browser: nobody wants it. */
export async function discardPicked(target: Target): Promise<void> {
  if (target.kind !== 'picked') return
  const { handle } = target as { handle: FileSystemFileHandle & { remove?(): Promise<void> } }
  try {
    if ((await handle.getFile()).size === 0) await handle.remove?.()
  } catch (error) {
    console.warn('An empty file was left behind.', error)
  }
}
