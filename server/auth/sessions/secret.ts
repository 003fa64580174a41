import { randomBytes } from 'node:crypto'
import type { Store } from '../../db/store.ts'

/** 32 random bytes, made at the first call and kept with the data under that name. */
export function secretIn(store: Store, name: string): Uint8Array {
  const kept = store.value<string>(name)
  if (kept) return Buffer.from(kept, 'base64')
  const secret = randomBytes(32)
  store.setValue(name, secret.toString('base64'))
  return secret
}
