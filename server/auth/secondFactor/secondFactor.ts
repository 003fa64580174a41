import { createHash, randomInt } from 'node:crypto'
import type { ProofMethod } from '../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import type { Store } from '../../db/store.ts'
import { secretIn } from '../sessions/sealedTokens.ts'
import { type AuthenticatorApps, createAuthenticatorApps } from './authenticatorApps.ts'
import {
  createPasskeyCeremonies,
  createPasskeys,
  type Passkey,
  type PasskeyCeremonies,
  type Passkeys,
  type RelyingParty,
} from './passkeys.ts'
import { createSecretBox, type KeySource } from './secretBox.ts'

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

/**
 * Counts wrong codes of each user, whatever address they come from: six digits could be guessed by somebody who knows the
 * password and has many addresses.
 */
interface WrongCodes {
  /** Whether codes of the app are refused for now. Recovery codes and passkeys cannot be guessed, and go on. */
  areTooMany(userId: number): boolean
  record(userId: number): void
  clear(userId: number): void
}

const maxWrongCodes = 20
const hourMs = 3_600_000

/** @param now the clock, in milliseconds since 1970 */
function createWrongCodes(now: () => number): WrongCodes {
  /** Only people who know a password get here: there are no more of them than users. */
  const byUser = new Map<number, { count: number; since: number }>()
  const current = (userId: number) => {
    const entry = byUser.get(userId)
    return entry && now() - entry.since < hourMs ? entry : undefined
  }
  return {
    areTooMany: (userId) => (current(userId)?.count ?? 0) >= maxWrongCodes,
    record(userId) {
      const entry = current(userId)
      if (entry) entry.count++
      else byUser.set(userId, { count: 1, since: now() })
    },
    clear: (userId) => void byUser.delete(userId),
  }
}

interface CodeRow {
  id: number
  user_id: number
  hash: string
}

/** Codes for people who have lost their phone. Each works once. */
interface RecoveryCodes {
  /** New ones in place of all earlier ones. Only their hashes are stored. */
  renew(userId: number): string[]
  /** Uses a code up. @returns whether it was one of this user */
  use(userId: number, code: string): boolean
  count(userId: number): number
  remove(userId: number): void
}

const codesPerUser = 10
/** Letters and digits that are not mistaken for one another. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 16 characters: about 79 bits, so that a plain hash cannot be guessed. */
const groups = 4
const groupLength = 4

function createRecoveryCodes(store: Store): RecoveryCodes {
  const table = store.table<CodeRow>({
    name: 'recovery_code',
    columns: [
      { name: 'user_id', type: 'INTEGER' },
      { name: 'hash', type: 'TEXT' },
    ],
  })
  /** Used codes whose rows may not be deleted yet. Ids are never given twice. */
  const usedIds = new Set<number>()
  const remove = (rows: readonly CodeRow[]) => table.remove(rows.map(({ id }) => id))

  return {
    renew(userId) {
      const codes = Array.from({ length: codesPerUser }, newCode)
      store.urgently(() => {
        remove(table.find({ user_id: userId }))
        for (const code of codes) table.insert({ user_id: userId, hash: hashOf(code) })
      })
      return codes
    },
    use(userId, code) {
      const rows = table.find({ user_id: userId, hash: hashOf(code) }).filter(({ id }) => !usedIds.has(id))
      for (const { id } of rows) usedIds.add(id)
      store.eventually(() => void remove(rows))
      return rows.length > 0
    },
    count: (userId) => table.count({ user_id: userId }),
    remove: (userId) => void store.urgently(() => remove(table.find({ user_id: userId }))),
  }
}

function newCode(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** People type codes with or without dashes, and in capitals. */
const hashOf = (code: string) =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('base64')
