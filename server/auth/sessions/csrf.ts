import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Store } from '../../db/store.ts'
import { secretIn } from './secret.ts'

/**
 * Proof that a call comes from our own page: the page reads the cookie `nz-csrf` and repeats it in a header, which a page
 * of another origin cannot. The value is `64 hex . 64 hex`, a random part and its signature.
 */
export interface Csrf {
  create(): string
  /** Whether we made this value. */
  isGenuine(value: string | undefined): value is string
  /** Whether cookie and header carry the same genuine value. */
  matches(cookie: string | undefined, header: unknown): boolean
}

export function createCsrf(store: Store): Csrf {
  const key = secretIn(store, 'auth.csrfKey')
  const sign = (nonce: string) => createHmac('sha256', key).update(nonce).digest('hex')

  function isGenuine(value: string | undefined): value is string {
    const [, nonce, signature] = /^([0-9a-f]{64})\.([0-9a-f]{64})$/.exec(value ?? '') ?? []
    return !!nonce && !!signature && timingSafeEqual(Buffer.from(sign(nonce)), Buffer.from(signature))
  }

  return {
    isGenuine,
    create() {
      const nonce = randomBytes(32).toString('hex')
      return `${nonce}.${sign(nonce)}`
    },
    matches: (cookie, header) => isGenuine(cookie) && cookie === header,
  }
}
