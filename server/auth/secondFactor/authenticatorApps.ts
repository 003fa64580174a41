import { Secret, TOTP } from 'otpauth'
import type { Store } from '../../db/store.ts'
import type { SecretBox } from './secretBox.ts'

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
export interface AuthenticatorApps {
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
export function createAuthenticatorApps(store: Store, box: SecretBox, now: () => number): AuthenticatorApps {
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
