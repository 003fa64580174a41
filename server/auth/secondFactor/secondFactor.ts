import { createHash, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { ProofMethod } from '../../../src/schemas/endpoints/secondFactorEndpoints.ts'
import type { Store } from '../../db/store.ts'
import { secretIn } from '../sessions/sealedTokens.ts'
import {
  createPasskeyCeremonies,
  createPasskeys,
  type Passkey,
  type PasskeyCeremonies,
  type Passkeys,
  type RelyingParty,
} from './passkeys.ts'
import { createSecretBox, type KeySource, type SecretBox } from './secretBox.ts'

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
    // A clock that was set back must not refuse them until that time comes again.
    return entry && Math.abs(now() - entry.since) < hourMs ? entry : undefined
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

interface AppRow {
  id: number
  user_id: number
  /** Sealed. */
  secret: string
  /** The time step of the code that was taken last in an older version, or with which the app was added. */
  last_step: number
  /** The time steps of the latest codes that were taken, in the order of their use: a code counts once. */
  used_steps: number[]
  /** Milliseconds since 1970. */
  created: number
}

/** `unreadable`: the secret cannot be decrypted, so that no code can be checked. */
export type CodeCheck = 'right' | 'wrong' | 'used' | 'unreadable'

/** Authenticator apps: codes of six digits that change every 30 seconds (TOTP, RFC 6238). One per user. */
interface AuthenticatorApps {
  /** A new secret, in base32 and as the address that a QR code holds. Nothing is stored. */
  newSecret(issuer: string, username: string): { secret: string; uri: string }
  /** The time step of a code that belongs to this secret now, or one step ago or ahead; `undefined` for a wrong code. */
  stepOf(secret: string, code: string): number | undefined
  /** Stores the secret in place of the one before. @param step of the code that was given for it, which so is used up */
  save(userId: number, secret: string, step: number): void
  /** Checks a code, and uses it up when it is right. */
  use(userId: number, code: string): CodeCheck
  has(userId: number): boolean
  /** Milliseconds since 1970; `undefined` when there is no app. */
  createdAt(userId: number): number | undefined
  remove(userId: number): void
}

const periodSeconds = 30
const secretBytes = 20
/** Steps by which the clock of the phone may be off. */
const drift = 1

/** Codes of one app that are remembered one by one, for a clock that is set back: those of some weeks. */
const rememberedSteps = 100

/** What every common app understands. */
const settings = { algorithm: 'SHA1', digits: 6, period: periodSeconds } as const

/** @param now the clock, in milliseconds since 1970 */
function createAuthenticatorApps(store: Store, box: SecretBox, now: () => number): AuthenticatorApps {
  const table = store.table<AppRow>({
    name: 'authenticator_app',
    columns: [
      { name: 'user_id', type: 'INTEGER', unique: true },
      { name: 'secret', type: 'TEXT' },
      { name: 'last_step', type: 'INTEGER', initial: 0 },
      { name: 'used_steps', type: 'JSON', initial: [] },
      { name: 'created', type: 'INTEGER' },
    ],
  })
  /** The same as `used_steps`, which may not be written yet. */
  const usedSteps = new Map<number, readonly number[]>()
  const rowOf = (userId: number) => table.find({ user_id: userId })[0]

  function stepOf(secret: string, code: string): number | undefined {
    const token = code.replace(/\s/g, '')
    if (!/^\d{6}$/.test(token)) return undefined
    const delta = new TOTP({ ...settings, secret: Secret.fromBase32(secret) }).validate({
      token,
      timestamp: now(),
      window: drift,
    })
    return delta === null ? undefined : stepNow() + delta
  }

  const stepNow = () => Math.floor(now() / 1000 / periodSeconds)
  const usedStepsOf = (row: AppRow) => usedSteps.get(row.user_id) ?? [row.last_step, ...row.used_steps]

  /**
   * A code is used up by itself and by every later one, so that none that somebody has seen works again. A later one
   * that cannot be right yet was taken while the clock was ahead: it uses up itself alone.
   */
  function isUsed(step: number, row: AppRow): boolean {
    const used = usedStepsOf(row)
    const latest = stepNow() + drift
    return used.some((other) => other === step || (other > step && other <= latest))
  }

  return {
    newSecret(issuer, username) {
      const secret = new Secret({ size: secretBytes })
      // A colon separates the two names in the address.
      const [cleanIssuer, label] = [issuer, username].map((name) => name.replaceAll(':', ' '))
      const uri = new TOTP({ ...settings, secret, issuer: cleanIssuer, label }).toString()
      return { secret: secret.base32, uri }
    },
    stepOf,
    save(userId, secret, step) {
      const row = { secret: box.seal(secret, userId), last_step: step, used_steps: [], created: now() }
      const before = rowOf(userId)
      if (before) table.update(before.id, row)
      else table.insert({ ...row, user_id: userId })
      usedSteps.delete(userId)
    },
    use(userId, code) {
      const row = rowOf(userId)
      if (!row) return 'wrong'
      const secret = box.open(row.secret, userId)
      if (secret === undefined) return 'unreadable'
      const step = stepOf(secret, code)
      if (step === undefined) return 'wrong'
      if (isUsed(step, row)) return 'used'
      const used_steps = [...usedStepsOf(row), step].slice(-rememberedSteps)
      usedSteps.set(userId, used_steps)
      store.eventually(() => void table.update(row.id, { used_steps }))
      return 'right'
    },
    has: (userId) => rowOf(userId) !== undefined,
    createdAt: (userId) => rowOf(userId)?.created,
    remove: (userId) => void store.urgently(() => table.remove(table.find({ user_id: userId }).map(({ id }) => id))),
  }
}
