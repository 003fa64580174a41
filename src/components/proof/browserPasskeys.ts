import { fieldsIn, type Values } from '../../schemas/define/values.ts'

/** Passkeys of this browser and of keys and phones that it reaches. The library is fetched when one is used. */

/** Whether this page may use passkeys at all: browsers offer them over TLS and on localhost only, and not at IP addresses. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)

/**
 * What the browser answers, as JSON for the server; `cancelled` when the person or the time ended it, `known` when the
 * device has a passkey of this account already.
 */
export type PasskeyResult = { response: Values } | 'cancelled' | 'known' | 'failed'

const library = () => import('@simplewebauthn/browser')

/** Signs with a passkey. @param options as the server gave them. Never rejects. */
export const signWithPasskey = (options: Values): Promise<PasskeyResult> =>
  settle(async () => (await library()).startAuthentication({ optionsJSON: options as never }))

/** Makes a passkey. @param options as the server gave them. Never rejects. */
export const createPasskey = (options: Values): Promise<PasskeyResult> =>
  settle(async () => (await library()).startRegistration({ optionsJSON: options as never }))

async function settle(work: () => Promise<object>): Promise<PasskeyResult> {
  try {
    return { response: { ...(await work()) } }
  } catch (error) {
    console.warn('The passkey could not be used.', error)
    const { name } = fieldsIn(error)
    if (name === 'InvalidStateError') return 'known'
    return name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'failed'
  }
}
