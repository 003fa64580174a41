import type { Store } from '../../db/store.ts'

/** A passkey or security key of a user: its public half. */
export interface Passkey {
  id: number
  user_id: number
  name: string
  /** Base64url, both. */
  credential_id: string
  public_key: string
  /** How often it was used, as far as it counts; a copy would be behind. */
  counter: number
  /** How browsers reach it: `usb`, `internal`. */
  transports: string[]
  /** The host name for which it was made, and at which alone it works. */
  host: string
  /** Milliseconds since 1970. */
  created: number
  /** The same; 0 before the first use. */
  last_used: number
}

export interface Passkeys {
  ofUser(userId: number): Passkey[]
  withCredential(credentialId: string): Passkey | undefined
  /** Whether anybody has one. */
  isAnyStored(): boolean
  add(passkey: Omit<Passkey, 'id' | 'created' | 'last_used'>): void
  recordUse(id: number, counter: number): void
  remove(ids: readonly number[]): void
}

export const maxPasskeysPerUser = 20

/** @param now the clock, in milliseconds since 1970 */
export function createPasskeys(store: Store, now: () => number): Passkeys {
  const table = store.table<Passkey>({
    name: 'passkey',
    columns: [
      { name: 'user_id', type: 'INTEGER' },
      { name: 'name', type: 'TEXT' },
      { name: 'credential_id', type: 'TEXT', unique: true },
      { name: 'public_key', type: 'TEXT' },
      { name: 'counter', type: 'INTEGER', initial: 0 },
      { name: 'transports', type: 'JSON', initial: [] },
      { name: 'host', type: 'TEXT' },
      { name: 'created', type: 'INTEGER' },
      { name: 'last_used', type: 'INTEGER', initial: 0 },
    ],
  })
  return {
    ofUser: (userId) => table.find({ user_id: userId }),
    withCredential: (credentialId) => table.find({ credential_id: credentialId })[0],
    isAnyStored: () => table.count() > 0,
    add: (passkey) => void table.insert({ ...passkey, created: now() }),
    recordUse: (id, counter) => store.eventually(() => void table.update(id, { counter, last_used: now() })),
    remove: (ids) => void store.urgently(() => table.remove(ids)),
  }
}
