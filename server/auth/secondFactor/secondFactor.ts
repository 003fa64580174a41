import type { ProofMethod } from '../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import type { Store } from '../../db/store.ts'
import { secretIn } from '../sessions/secret.ts'
import { type AuthenticatorApps, createAuthenticatorApps } from './authenticatorApps.ts'
import { createPasskeyCeremonies, type PasskeyCeremonies } from './passkeyCeremonies.ts'
import { createPasskeys, type Passkey, type Passkeys } from './passkeys.ts'
import { createRecoveryCodes, type RecoveryCodes } from './recoveryCodes.ts'
import type { RelyingParty } from './relyingParty.ts'
import { createSecretBox, type KeySource } from './secretBox.ts'
import { createWrongCodes, type WrongCodes } from './wrongCodes.ts'

/** What users have set up beside their password. */
export interface SecondFactor {
  apps: AuthenticatorApps
  recoveryCodes: RecoveryCodes
  passkeys: Passkeys
  ceremonies: PasskeyCeremonies
  wrongCodes: WrongCodes
  /** Whether this user has an authenticator app or a passkey. Recovery codes alone are none. */
  has(userId: number): boolean
  /** The passkeys of a user that work on this site. */
  passkeysAt(userId: number, site: RelyingParty | undefined): Passkey[]
  /** What this user can be asked for on this site, best first. */
  methods(userId: number, site: RelyingParty | undefined): ProofMethod[]
  /** Takes everything away, recovery codes too. */
  remove(userId: number): void
}

/**
 * @param now the clock, in milliseconds since 1970
 * @param keyOf the key that encrypts the secrets of authenticator apps. Default: it is in the database, for one in memory
 */
export function createSecondFactor(
  store: Store,
  now: () => number,
  keyOf: KeySource = () => secretIn(store, 'auth.secondFactorKey'),
): SecondFactor {
  const apps = createAuthenticatorApps(store, createSecretBox(keyOf), now)
  const recoveryCodes = createRecoveryCodes(store)
  const passkeys = createPasskeys(store, now)

  const passkeysAt = (userId: number, site: RelyingParty | undefined) =>
    site ? passkeys.ofUser(userId).filter(({ host }) => host === site.id) : []

  return {
    apps,
    recoveryCodes,
    passkeys,
    ceremonies: createPasskeyCeremonies(store),
    wrongCodes: createWrongCodes(now),
    has: (userId) => apps.has(userId) || passkeys.ofUser(userId).length > 0,
    passkeysAt,
    methods(userId, site) {
      const methods: ProofMethod[] = []
      if (passkeysAt(userId, site).length > 0) methods.push('passkey')
      if (apps.has(userId)) methods.push('totp')
      if (recoveryCodes.count(userId) > 0) methods.push('recovery')
      return methods
    },
    remove: (userId) =>
      store.urgently(() => {
        apps.remove(userId)
        recoveryCodes.remove(userId)
        passkeys.remove(passkeys.ofUser(userId).map(({ id }) => id))
      }),
  }
}
