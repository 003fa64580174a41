import * as fake from 'fake-indexeddb'
import { onTestFinished, vi } from 'vitest'

/** Gives the page an empty IndexedDB, which jsdom does not have. */
export function fakeIndexedDb(): void {
  const { default: _, IDBFactory: Factory, ...classes } = fake
  for (const [name, value] of Object.entries(classes)) if (name.startsWith('IDB')) vi.stubGlobal(name, value)
  vi.stubGlobal('indexedDB', new Factory())
  onTestFinished(() => void vi.unstubAllGlobals())
}
