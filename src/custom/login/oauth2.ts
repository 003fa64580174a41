import { fieldsIn } from '../../schemas/define/values.ts'
import {
  errorPrefix,
  type Oauth2Failure,
  oauth2Intents,
  providerUnusable,
  signInFailures,
} from '../../schemas/define/wireNames.ts'
import { loginAddressWithNext, nextParameter } from '../../session/signInAddress.ts'
import { type SignInFailure, sendRequest } from './signIn.ts'

/** The URL parameters of the sign-in page that concern a provider. */
export interface Oauth2Return {
  /** The provider has confirmed the user, and the server has opened a session. */
  isBack: boolean
  /** The provider has confirmed the user, and the server waits for the second factor. */
  needsSecondFactor: boolean
  /** Why the sign-in failed. */
  failure?: Oauth2Failure
  /** The provider at which the console asked to sign in. */
  provider?: string
}

const parameters = ['oauth2', 'oauth2_error', 'provider', 'second_factor']

/** sessionStorage key of the requested path: the provider's redirect back does not have it. */
const storageKey = 'wheelhouse.next'

/** Reads the parameters and removes them from the URL; the requested path is restored into it. */
export function readOauth2Return({ search, pathname } = window.location, referrer = document.referrer): Oauth2Return {
  const query = new URLSearchParams(search)
  const code = query.get('oauth2_error')
  const isBack = query.get('oauth2') === 'true'
  const needsSecondFactor = query.get('second_factor') === 'true'
  const provider = query.get('provider') ?? undefined
  if (parameters.some((name) => query.has(name))) {
    for (const name of parameters) query.delete(name)
    window.history.replaceState(null, '', pathname + (query.size ? `?${query}` : ''))
    if (isBack || needsSecondFactor || code !== null) restoreNextPath()
  }
  return {
    isBack,
    needsSecondFactor,
    // Unknown codes do not come from the server, so they are not shown.
    ...(code !== null && { failure: signInFailures.find((failure) => failure === code) ?? 'failed' }),
    // A link on another site must not start a sign-in.
    ...(isSameOrigin(referrer) && { provider }),
  }
}

const isSameOrigin = (address: string) => URL.canParse(address) && new URL(address).origin === window.location.origin

/**
 * Starts a sign-in at a provider. Never rejects.
 * @param leave redirects the browser
 * @returns the reason if it cannot start; `undefined` when the browser leaves
 */
export async function startOauth2(name: string, leave: (address: string) => void): Promise<SignInFailure | undefined> {
  const result = await sendRequest(`oauth2/${encodeURIComponent(name)}?type=${oauth2Intents.login}`)
  if (result.kind === 'unauthorized') return { kind: 'serverMessage', message: errorPrefix.unauthorized }
  if (result.kind === 'serverMessage' && result.message === providerUnusable) return { kind: 'oauth2', code: 'failed' }
  if (result.kind !== 'ok') return result
  const { redirect } = fieldsIn(result.data)
  if (typeof redirect !== 'string' || !/^https?:\/\//i.test(redirect)) {
    return { kind: 'oauth2', code: 'failed' }
  }
  saveNextPath()
  leave(redirect)
  return undefined
}

function saveNextPath(): void {
  try {
    const next = nextParameter(window.location.search)
    if (next) sessionStorage.setItem(storageKey, next)
    else sessionStorage.removeItem(storageKey)
  } catch {
    // Without sessionStorage the home page opens afterwards.
  }
}

function restoreNextPath(): void {
  try {
    const next = sessionStorage.getItem(storageKey)
    sessionStorage.removeItem(storageKey)
    if (next) window.history.replaceState(null, '', loginAddressWithNext(next))
  } catch {
    // Without sessionStorage nothing was saved.
  }
}
