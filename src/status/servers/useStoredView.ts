import { useState } from 'preact/hooks'

export type View = 'cards' | 'table'

const storageKey = 'wheelhouse.status-view'

/** Cards or table, as this browser had it at the last visit. */
export function useStoredView(): [View, (view: View) => void] {
  const [view, setView] = useState(stored)
  return [
    view,
    (next) => {
      setView(next)
      try {
        localStorage.setItem(storageKey, next)
      } catch {
        // A browser without a store forgets the choice at the next visit.
      }
    },
  ]
}

function stored(): View {
  try {
    return localStorage.getItem(storageKey) === 'table' ? 'table' : 'cards'
  } catch {
    return 'cards'
  }
}
