import { reloadPage } from '../session/navigation.ts'

/**
 * After an update of the console a tab that was open before may ask for chunks that are gone. It loads itself anew,
 * once for each build; with unsaved changes on the page it only says so.
 */
let isOutdated = false
const listeners = new Set<() => void>()
const storageKey = 'wheelhouse.reloaded-for'

/** Whether a newer console is waiting for somebody to save and reload. */
export const isConsoleOutdated = () => isOutdated

export function watchBuild(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Follows chunks that cannot be fetched, from now on. */
export function reloadAfterUpdates(): void {
  window.addEventListener('vite:preloadError', () => void onMissingChunk())
}

async function onMissingChunk(): Promise<void> {
  const served = await servedEntry()
  // No answer: the server is away, and the chunk may be there again with it. The same entry: nothing was updated.
  if (!served || served === ownEntry()) return
  if (asksBeforeLeaving()) {
    isOutdated = true
    for (const listener of listeners) listener()
    return
  }
  // A reload that did not help would not help again.
  if (sessionStorage.getItem(storageKey) === served) return
  sessionStorage.setItem(storageKey, served)
  reloadPage()
}

/** The entry script of this page; its name changes with every build. */
const ownEntry = () => entryIn(document)

async function servedEntry(): Promise<string | undefined> {
  try {
    const reply = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' })
    return reply.ok ? entryIn(new DOMParser().parseFromString(await reply.text(), 'text/html')) : undefined
  } catch {
    return undefined
  }
}

const entryIn = (page: Document) =>
  page.querySelector('script[type=module][src]')?.getAttribute('src')?.replace(/^.*\//, '')

/** Asks the page as the browser does before it leaves: whoever has something to lose objects. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
