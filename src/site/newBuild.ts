import { createEmitter } from '../events/emitter.ts'
import { reloadPage } from '../session/navigation.ts'

/**
 * After an update of the console, a tab that was open before may request chunks that no longer exist. It reloads itself,
 * once for each build; with unsaved changes on the page, or without storage, it only says so.
 */
let isOutdated = false
const changes = createEmitter()
const storageKey = 'wheelhouse.reloaded-for'

/** Whether there is a newer build, and the page cannot reload by itself. */
export const isConsoleOutdated = () => isOutdated

export const subscribeToNewBuild = changes.subscribe

/** Handles chunks that cannot be fetched, from now on. */
export function reloadAfterUpdates(): void {
  window.addEventListener('vite:preloadError', () => void reloadIfUpdated())
}

/** Reloads the page where the server has a newer build than the one that this page is of. */
export async function reloadIfUpdated(): Promise<void> {
  const served = await servedEntry()
  // Without an answer the server is unreachable, and with the same entry nothing was updated.
  if (!served || served === ownEntry()) return
  if (asksBeforeLeaving()) return report()
  // Reload once per build: a second time would not help.
  try {
    if (sessionStorage.getItem(storageKey) === served) return
    sessionStorage.setItem(storageKey, served)
  } catch {
    // Storage is forbidden: the page would not know that it has been reloaded, and would be over and over.
    return report()
  }
  reloadPage()
}

function report(): void {
  isOutdated = true
  changes.emit()
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

/** Whether a form would ask before the page is left, as browsers find out. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
