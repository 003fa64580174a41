import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Store } from '../../db/store.ts'
import { secretIn } from './secret.ts'

/**
 * Proof that a call comes from our own page: the page reads the cookie `nz-csrf` and repeats it in a header, which a page
 * of another origin cannot. The value is `64 hex . 64 hex`, a random part and a signature of it and of the session: one
 * that somebody got in a session of their own is of no use in another. A session is named by its key.
 */
export interface Csrf {
  create(session: string): string
  /** Whether we made this value for that session. */
  isGenuine(value: string | undefined, session: string): value is string
  /** Whether cookie and header carry the same value, genuine for that session. */
  matches(cookie: string | undefined, header: unknown, session: string): boolean
}

export function createCsrf(store: Store): Csrf {
  const key = secretIn(store, 'auth.csrfKey')
  const sign = (nonce: string, session: string) => createHmac('sha256', key).update(`${nonce}.${session}`).digest('hex')

  function isGenuine(value: string | undefined, session: string): value is string {
    const [, nonce, signature] = /^([0-9a-f]{64})\.([0-9a-f]{64})$/.exec(value ?? '') ?? []
    return !!nonce && !!signature && timingSafeEqual(Buffer.from(sign(nonce, session)), Buffer.from(signature))
  }

  return {
    isGenuine,
    create(session) {
      const nonce = randomBytes(32).toString('hex')
      return `${nonce}.${sign(nonce, session)}`
    },
    matches: (cookie, header, session) => isGenuine(cookie, session) && cookie === header,
  }
}
