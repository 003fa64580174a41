import { useSyncExternalStore } from 'react'
import type { Scheme } from '../../theme/tokens.ts'

/** The colours in which the page is drawn now: those that were chosen, and the light ones while it is printed. */
export const useScheme = (): Scheme => useSyncExternalStore(subscribe, read)

const read = (): Scheme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
