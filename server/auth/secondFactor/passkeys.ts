import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import type { Store } from '../../db/store.ts'
import { secretIn } from '../sessions/sealedTokens.ts'

/** A passkey or security key of a user: its public half. */
export interface Passkey {
  id: number
  user_id: number
  name: string
  /** Base64url, both. */
  credential_id: string
  public_key: string
  /** How often it was used, as far as it counts; a copy would be behind. */
  counter: number
  /** How browsers reach it: `usb`, `internal`. */
  transports: string[]
  /** The host name for which it was made, and at which alone it works. */
  host: string
  /** Milliseconds since 1970. */
  created: number
  /** The same; 0 before the first use. */
  last_used: number
}

export interface Passkeys {
  ofUser(userId: number): Passkey[]
  withCredential(credentialId: string): Passkey | undefined
  /** Whether anybody has one. */
  isAnyStored(): boolean
  add(passkey: Omit<Passkey, 'id' | 'created' | 'last_used'>): void
  recordUse(id: number, counter: number): void
  remove(ids: readonly number[]): void
}

export const maxPasskeysPerUser = 20

/** @param now the clock, in milliseconds since 1970 */
export function createPasskeys(store: Store, now: () => number): Passkeys {
  const table = store.table<Passkey>({
    name: 'passkey',
    columns: [
      { name: 'user_id', type: 'INTEGER' },
      { name: 'name', type: 'TEXT' },
      { name: 'credential_id', type: 'TEXT', unique: true },
      { name: 'public_key', type: 'TEXT' },
      { name: 'counter', type: 'INTEGER', initial: 0 },
      { name: 'transports', type: 'JSON', initial: [] },
      { name: 'host', type: 'TEXT' },
      { name: 'created', type: 'INTEGER' },
      { name: 'last_used', type: 'INTEGER', initial: 0 },
    ],
  })
  return {
    ofUser: (userId) => table.find({ user_id: userId }),
    withCredential: (credentialId) => table.find({ credential_id: credentialId })[0],
    isAnyStored: () => table.count() > 0,
    add: (passkey) => void table.insert({ ...passkey, created: now() }),
    recordUse: (id, counter) => store.eventually(() => void table.update(id, { counter, last_used: now() })),
    remove: (ids) => void store.urgently(() => table.remove(ids)),
  }
}

/** The site that a passkey belongs to: a browser uses it nowhere else. */
export interface RelyingParty {
  /** The host name. */
  id: string
  origin: string
}

/**
 * The site on whose page the request was made; `undefined` where passkeys cannot be used: at an IP address, without TLS on
 * other names than localhost, and behind a proxy at other addresses than `PUBLIC_URL`. That the page is one of ours was
 * checked before (see `refuseForeignOrigin`).
 */
export function relyingPartyOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicUrl?: URL,
): RelyingParty | undefined {
  const { origin } = headers
  if (!origin || !URL.canParse(origin) || (publicUrl && origin !== publicUrl.origin)) return undefined
  const { hostname, protocol } = new URL(origin)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0 || (protocol !== 'https:' && !isLocal)) return undefined
  return { id: hostname, origin }
}

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
