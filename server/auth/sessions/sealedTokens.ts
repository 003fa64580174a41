import { randomBytes } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import type { Store } from '../../db/store.ts'

/**
 * Facts that a client keeps for us, encrypted: it can neither read nor change them, and unknown clients who ask for many
 * use no memory here.
 */
export interface SealedTokens<Facts> {
  create(facts: Facts): Promise<string>
  /** The facts of a token of ours, for the same purpose, that has neither expired nor been taken. */
  read(token: string | undefined): Promise<Facts | undefined>
  /** The same, once. @param accepts whether these are the expected facts; refused ones are not used up */
  take(token: string | undefined, accepts?: (facts: Facts) => boolean): Promise<Facts | undefined>
}

interface SealedTokenOptions {
  /**
   * Default: one of this process. Tokens that were taken are remembered in memory alone, so what must not count again
   * after a restart must not be readable then.
   */
  key?: Uint8Array
  /** Tokens of another purpose are not accepted. */
  purpose: string
  /** Seconds. */
  lifetime: number
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/**
 * The number of taken tokens in memory, some 1 MB. Beyond it the oldest is forgotten, and what was made before it was
 * taken counts no more: who takes thousands of their own must not make one of somebody else's good again.
 */
const maxTaken = 10_000

export function createSealedTokens<Facts extends object>(options: SealedTokenOptions): SealedTokens<Facts> {
  const { key = randomBytes(32), purpose, lifetime, now } = options
  /** Time of use by token id, the earliest first. */
  const taken = new Map<string, number>()
  /** Seconds since 1970: tokens that were made up to then count no more. */
  let forgottenUntil = 0

  function markTaken(id: string): void {
    for (const [old, at] of taken) {
      const isExpired = at + lifetime * 1000 <= now()
      if (!isExpired && taken.size < maxTaken) break
      taken.delete(old)
      if (!isExpired) forgottenUntil = Math.floor(at / 1000)
    }
    taken.set(id, now())
  }

  async function open(token: string | undefined): Promise<{ id: string; facts: Facts } | undefined> {
    if (!token) return undefined
    try {
      const { payload } = await jwtDecrypt<{ facts: Facts; jti: string; exp: number }>(token, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp', 'jti'],
        audience: purpose,
        currentDate: new Date(now()),
      })
      const isForgotten = payload.exp - lifetime <= forgottenUntil
      return isForgotten || taken.has(payload.jti) ? undefined : { id: payload.jti, facts: payload.facts }
    } catch {
      // Invalid, not ours, or expired.
      return undefined
    }
  }

  return {
    create: (facts) =>
      new EncryptJWT({ facts })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(purpose)
        .setJti(randomBytes(16).toString('base64url'))
        .setExpirationTime(Math.floor(now() / 1000) + lifetime)
        .encrypt(key),
    read: async (token) => (await open(token))?.facts,
    async take(token, accepts = () => true) {
      const opened = await open(token)
      // Checked again: two calls may have opened it at the same time.
      if (!opened || taken.has(opened.id) || !accepts(opened.facts)) return undefined
      markTaken(opened.id)
      return opened.facts
    },
  }
}

/** 32 random bytes, generated at the first call and stored under that name. */
export function secretIn(store: Store, name: string): Uint8Array {
  const stored = store.value<string>(name)
  if (stored) return Buffer.from(stored, 'base64')
  const secret = randomBytes(32)
  store.setValue(name, secret.toString('base64'))
  return secret
}
