import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Store } from '../../db/store.ts'

/** Encrypts secrets that have to be read again, so that a copied database alone does not give them away. */
export interface SecretBox {
  /** @param owner whose secret it is: it cannot be read as somebody else's */
  seal(secret: string, owner: number): string
  /** `undefined` when the key is another one or missing. */
  open(sealed: string, owner: number): string | undefined
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/** The key. @param create whether to make one when there is none */
export type KeySource = (create: boolean) => Uint8Array | undefined

export function createSecretBox(keyOf: KeySource): SecretBox {
  return {
    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, keyOf(true) as Uint8Array, nonce).setAAD(Buffer.from(`user ${owner}`))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
    },
    open(sealed, owner) {
      const key = keyOf(false)
      if (!key) return undefined
      const bytes = Buffer.from(sealed, 'base64')
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
          .setAAD(Buffer.from(`user ${owner}`))
          .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
        const text = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
        return text.toString('utf8')
      } catch {
        // Sealed with another key.
        return undefined
      }
    },
  }
}

/** A key in a file of its own, made at the first use and readable by its owner only. A backup of the database leaves it out. */
export function keyInFile(path: string): KeySource {
  let key: Uint8Array | undefined
  return (create) => {
    if (!key && existsSync(path)) key = readKey(path)
    if (!key && create) key = writeKey(path)
    return key
  }
}

/** What seals that key. */
export const sealingKey = (clusterKey: Uint8Array) =>
  new Uint8Array(hkdfSync('sha256', clusterKey, '', 'wheelhouse second factor', keyBytes))

/** The name of the value with the sealed key. */
export const sealedKeyName = 'auth.sealedSecondFactorKey'

/**
 * A key in the database, sealed with the one that the nodes of a cluster have: each of them reads it, and the database alone
 * does not give it away.
 */
export function keySealedIn(store: Store, clusterKey: Uint8Array): KeySource {
  const box = createSecretBox(() => sealingKey(clusterKey))
  return (create) => {
    const sealed = store.value<string>(sealedKeyName)
    const stored = sealed && box.open(sealed, 0)
    if (stored) return Buffer.from(stored, 'base64')
    if (!create) return undefined
    const key = randomBytes(keyBytes)
    store.setValue(sealedKeyName, box.seal(key.toString('base64'), 0))
    return key
  }
}

function readKey(path: string): Uint8Array {
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64')
  if (key.length === keyBytes) return key
  throw new Error(`${path} is damaged: put back a copy, or delete it and set up authenticator apps again.`)
}

/** On the disk before anything is sealed with it: without the key nobody can read it again. */
function writeKey(path: string): Uint8Array {
  const key = randomBytes(keyBytes)
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, `${key.toString('base64')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return key
}
