import { StoreError } from './storeError.ts'

/**
 * What was stored as JSON. SQLite does not notice when a disk, or a person, has changed a letter of a text.
 * @param place what it is, for the operator
 * @throws StoreError
 */
export function storedJson(text: unknown, ...place: readonly (string | number)[]): unknown {
  try {
    return JSON.parse(String(text))
  } catch (cause) {
    throw new StoreError(`The database is damaged, at ${place.join(' ')}: restore a backup.`, { cause })
  }
}
