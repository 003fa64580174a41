import { memoryStore, type Store } from 'ra-core'

/**
 * What outlives a visit: the choices about tables, terminals and files. Theme and language have entries of their own.
 */
const keptKeys = ['table.', 'views.', 'terminal.', 'files.']
const prefix = 'wheelhouse.choices.'

const isKept = (key: string) => keptKeys.some((start) => key.startsWith(start))

/**
 * React-admin's store. Choices about tables, terminals and files are kept in this browser, shared by its tabs, and stay
 * when react-admin resets the store on sign-out; all else, selections among it, lives as long as the page.
 */
export function choiceStore(): Store {
  const memory = memoryStore(readKept())
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (!key?.startsWith(prefix)) return
    const own = key.slice(prefix.length)
    if (newValue === null) memory.removeItem(own)
    else memory.setItem(own, parse(newValue))
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
      if (isKept(key)) keep(key, value)
    },
    removeItem: (key) => {
      memory.removeItem(key)
      if (isKept(key)) keep(key, undefined)
    },
    removeItems: (start) => {
      for (const key of Object.keys(memory.listItems?.(start) ?? {})) if (isKept(key)) keep(key, undefined)
      memory.removeItems(start)
    },
    reset: () => {
      for (const key of Object.keys(memory.listItems?.() ?? {})) if (!isKept(key)) memory.removeItem(key)
    },
  }
}

function keep(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(prefix + key)
    else localStorage.setItem(prefix + key, JSON.stringify(value))
  } catch {
    // A full or forbidden store: the choice holds until the page is left.
  }
}

function readKept(): Record<string, unknown> {
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
