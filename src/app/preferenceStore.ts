import { memoryStore, type Store } from 'ra-core'
import { choiceKey, parseChoice, storeChoice, storedChoices } from '../storage/storedChoices.ts'

/**
 * Keys that are stored beyond the page: preferences for tables, terminals and files. Theme and language are stored
 * elsewhere.
 */
const storedKeys = ['table.', 'views.', 'terminal.', 'files.']

const isStored = (key: string) => storedKeys.some((start) => key.startsWith(start))

/**
 * React-admin's store. Preferences for tables, terminals and files are kept in local storage, shared by all tabs, and stay
 * when react-admin resets the store on sign-out; everything else, such as selections, lives as long as the page.
 * @param locale the translator's; without it react-admin draws nothing until it has asked for it
 */
export function preferenceStore(locale?: string): Store {
  const memory = memoryStore({ ...storedChoices(), ...(locale && { locale }) })
  const onStorage = ({ key, newValue }: StorageEvent) => {
    const ownKey = choiceKey(key)
    if (ownKey === undefined) return
    if (newValue === null) memory.removeItem(ownKey)
    else memory.setItem(ownKey, parseChoice(newValue))
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
      if (isStored(key)) storeChoice(key, value)
    },
    removeItem: (key) => {
      memory.removeItem(key)
      if (isStored(key)) storeChoice(key, undefined)
    },
    removeItems: (start) => {
      for (const key of Object.keys(memory.listItems?.(start) ?? {})) if (isStored(key)) storeChoice(key, undefined)
      memory.removeItems(start)
    },
    reset: () => {
      for (const key of Object.keys(memory.listItems?.() ?? {})) if (!isStored(key)) memory.removeItem(key)
    },
  }
}
