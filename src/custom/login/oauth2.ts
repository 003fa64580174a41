import { errorPrefix, type Oauth2Failure, oauth2Failures, oauth2Intents } from '../../schemas/define/wireNames.ts'
import { loginAddressWithNext, nextParameter } from '../../session/signInAddress.ts'
import type { SignInFailure } from './failureText.ts'
import { sendRequest } from './sendRequest.ts'

/** What the sign-in form's address says about a visit to a provider. */
export interface Oauth2Return {
  /** The provider has said yes, and the server has opened a session. */
  isBack: boolean
  /** Why the visit came to nothing. */
  failure?: Oauth2Failure
  /** Where the console itself was asked to begin a visit. */
  provider?: string
}

const said = ['oauth2', 'oauth2_error', 'provider']

/** Where people wanted to go when they left for a provider, whose way back knows nothing of it. */
const storageKey = 'wheelhouse.next'

/** Reads what the address says, once: it is gone from there afterwards, and the way on is back in it. */
export function readOauth2Return({ search, pathname } = window.location, referrer = document.referrer): Oauth2Return {
  const query = new URLSearchParams(search)
  const code = query.get('oauth2_error')
  const isBack = query.get('oauth2') === 'true'
  const provider = query.get('provider') ?? undefined
  if (said.some((name) => query.has(name))) {
    for (const name of said) query.delete(name)
    window.history.replaceState(null, '', pathname + (query.size ? `?${query}` : ''))
    if (isBack || code !== null) recallNext()
  }
  return {
    isBack,
    // What nobody knows here was not written by a server of ours: a word of somebody else's is not shown.
    ...(code !== null && { failure: oauth2Failures.find((known) => known === code) ?? 'failed' }),
    // Another site must not send people off by a link.
    ...(isOwn(referrer) && { provider }),
  }
}

const isOwn = (address: string) => URL.canParse(address) && new URL(address).origin === window.location.origin

/**
 * Begins a sign-in at a provider. Never rejects.
 * @param leave takes the browser there
 * @returns why it cannot begin; nothing as the browser goes
 */
export async function startOauth2(name: string, leave: (address: string) => void): Promise<SignInFailure | undefined> {
  const result = await sendRequest(`oauth2/${encodeURIComponent(name)}?type=${oauth2Intents.login}`)
  if (result.kind === 'unauthorized') return { kind: 'said', words: errorPrefix.unauthorized }
  if (result.kind !== 'good') return result
  const { redirect } = (result.data ?? {}) as { redirect?: unknown }
  if (typeof redirect !== 'string' || !/^https?:\/\//i.test(redirect)) {
    return { kind: 'visit', code: 'failed' }
  }
  keepNext()
  leave(redirect)
  return undefined
}

function keepNext(): void {
  try {
    const next = nextParameter(window.location.search)
    if (next) sessionStorage.setItem(storageKey, next)
    else sessionStorage.removeItem(storageKey)
  } catch {
    // Without a store the way leads home.
  }
}

function recallNext(): void {
  try {
    const next = sessionStorage.getItem(storageKey)
    sessionStorage.removeItem(storageKey)
    if (next) window.history.replaceState(null, '', loginAddressWithNext(next))
  } catch {
    // Without a store nothing was kept.
  }
}
