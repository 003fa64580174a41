import type { Values } from '../schemas/define/values.ts'

const prefix = 'wheelhouse.choices.'

/** The preferences that this browser has stored, by their keys in react-admin's store. */
export function storedChoices(): Values {
  try {
    const entries = Object.entries(localStorage).filter(([key]) => key.startsWith(prefix))
    return Object.fromEntries(entries.map(([key, text]) => [key.slice(prefix.length), parseChoice(text)]))
  } catch {
    return {}
  }
}

/** Stores a preference; `undefined` removes it. */
export function storeChoice(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, JSON.stringify(value))
  } catch {
    // Local storage is full or forbidden: the preference lasts until the page is left.
  }
}

/** The key of a preference, by the key of local storage; `undefined` for everything else that is stored there. */
export const choiceKey = (storageKey: string | null): string | undefined =>
  storageKey?.startsWith(prefix) ? storageKey.slice(prefix.length) : undefined

export function parseChoice(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
