import { createHmac } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { Store } from '../../db/store.ts'
import { secretIn } from '../sessions/secret.ts'
import type { Passkey } from './passkeys.ts'
import type { RelyingParty } from './relyingParty.ts'

/** The two exchanges of WebAuthn with a browser: to make a passkey, and to use one. */
export interface PasskeyCeremonies {
  creationOptions(options: CreationOptions): Promise<PublicKeyCredentialCreationOptionsJSON>
  /** What to store of a new passkey; `undefined` when the reply is not the one that was asked for. */
  verifyCreation(site: RelyingParty, challenge: string, response: unknown): Promise<WebAuthnCredential | undefined>
  /** @param allowed the passkeys that may be used; with none the browser offers all that it has for this site */
  requestOptions(site: RelyingParty, allowed: readonly Passkey[]): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** The new counter of a passkey that was used; `undefined` when the reply is not right. */
  verifyUse(site: RelyingParty, passkey: Passkey, use: PasskeyUse): Promise<number | undefined>
}

interface CreationOptions {
  site: RelyingParty
  siteName: string
  user: { id: number; username: string }
  /** Those that the user has: a device must not get a second one. */
  existing: readonly Passkey[]
}

interface PasskeyUse {
  challenge: string
  response: unknown
  /** Whether the device has to have checked a PIN or a finger: where the passkey stands in place of the password. */
  needsUserVerification: boolean
}

/** Ed25519, ES256 and RS256, by their numbers in COSE: what devices have and Node can check without a warning. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** Milliseconds that a browser waits for the person. */
const timeout = 5 * 60_000

export function createPasskeyCeremonies(store: Store): PasskeyCeremonies {
  const handleKey = () => secretIn(store, 'auth.passkeyHandleKey')
  // Only when the first passkey is used: the library takes a while to load.
  const library = () => import('@simplewebauthn/server')

  return {
    async creationOptions({ site, siteName, user, existing }) {
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpName: siteName,
        rpID: site.id,
        userName: user.username,
        // Devices store it in plain, so it tells nothing about the user.
        userID: new Uint8Array(createHmac('sha256', handleKey()).update(String(user.id)).digest()),
        timeout,
        supportedAlgorithmIDs,
        excludeCredentials: existing.map(descriptorOf),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      })
    },
    async verifyCreation(site, challenge, response) {
      const { verifyRegistrationResponse } = await library()
      const verified = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        requireUserVerification: false,
        supportedAlgorithmIDs,
      }).catch(() => undefined)
      return verified?.verified ? verified.registrationInfo.credential : undefined
    },
    async requestOptions(site, allowed) {
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID: site.id,
        timeout,
        allowCredentials: allowed.map(descriptorOf),
        userVerification: allowed.length > 0 ? 'preferred' : 'required',
      })
    },
    async verifyUse(site, passkey, { challenge, response, needsUserVerification }) {
      const { verifyAuthenticationResponse } = await library()
      const verified = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        credential: {
          id: passkey.credential_id,
          publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
          counter: passkey.counter,
        },
        requireUserVerification: needsUserVerification,
      }).catch(() => undefined)
      return verified?.verified ? verified.authenticationInfo.newCounter : undefined
    },
  }
}

const descriptorOf = ({ credential_id, transports }: Passkey) => ({ id: credential_id, transports })
