import { randomBytes } from 'node:crypto'
import type { Store } from '../../db/store.ts'

/** 32 random bytes, generated at the first call and stored under that name. */
export function secretIn(store: Store, name: string): Uint8Array {
  const stored = store.value<string>(name)
  if (stored) return Buffer.from(stored, 'base64')
  const secret = randomBytes(32)
  store.setValue(name, secret.toString('base64'))
  return secret
}
