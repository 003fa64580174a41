import { memoryStore, type Store } from 'ra-core'

/**
 * Keys that are stored beyond the page: preferences for tables, terminals and files. Theme and language are stored
 * elsewhere.
 */
const storedKeys = ['table.', 'views.', 'terminal.', 'files.']
const prefix = 'wheelhouse.choices.'

const isStored = (key: string) => storedKeys.some((start) => key.startsWith(start))

/**
 * React-admin's store. Preferences for tables, terminals and files are kept in local storage, shared by all tabs, and stay
 * when react-admin resets the store on sign-out; everything else, such as selections, lives as long as the page.
 * @param locale the translator's; without it react-admin draws nothing until it has asked for it
 */
export function preferenceStore(locale?: string): Store {
  const memory = memoryStore({ ...readStored(), ...(locale && { locale }) })
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (!key?.startsWith(prefix)) return
    const ownKey = key.slice(prefix.length)
    if (newValue === null) memory.removeItem(ownKey)
    else memory.setItem(ownKey, parse(newValue))
  }
  return {
    ...memory,
    setup: () => {
      memory.setup()
      window.addEventListener('storage', onStorage)
    },
    teardown: () => {
      window.removeEventListener('storage', onStorage)
    },
    setItem: (key, value) => {
      memory.setItem(key, value)
      if (isStored(key)) store(key, value)
    },
    removeItem: (key) => {
      memory.removeItem(key)
      if (isStored(key)) store(key, undefined)
    },
    removeItems: (start) => {
      for (const key of Object.keys(memory.listItems?.(start) ?? {})) if (isStored(key)) store(key, undefined)
      memory.removeItems(start)
    },
    reset: () => {
      for (const key of Object.keys(memory.listItems?.() ?? {})) if (!isStored(key)) memory.removeItem(key)
    },
  }
}

function store(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, JSON.stringify(value))
  } catch {
    // Local storage is full or forbidden: the preference lasts until the page is left.
  }
}

function readStored(): Record<string, unknown> {
  try {
    const entries = Object.entries(localStorage).filter(([key]) => key.startsWith(prefix))
    return Object.fromEntries(entries.map(([key, text]) => [key.slice(prefix.length), parse(text)]))
  } catch {
    return {}
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
