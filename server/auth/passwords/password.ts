import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { verifyBcrypt } from './verifyBcrypt.ts'

const derive = promisify(argon2)

/** What a hash costs to make; it is stored with the hash. */
export interface PasswordCost {
  /** KiB */
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's recommendation for argon2id. The numbers are stored with each hash, so old hashes stay valid after a change. */
export const recommendedCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** @returns the hash as text with its salt and cost: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash` */
export async function hashPassword(password: string, cost = recommendedCost): Promise<string> {
  const nonce = randomBytes(saltBytes)
  const hash = await derive('argon2id', { message: password, nonce, tagLength: hashBytes, ...cost })
  const { memory, passes, parallelism } = cost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(hash)}`
}

/** Whether it is a hash as other products have them, of bcrypt, and one that does not take seconds to verify. */
export const isImportable = (hash: string): boolean =>
  Number(bcryptShape.exec(hash)?.[1] ?? Number.NaN) <= maxBcryptCost

const bcryptShape = /^\$2[aby]\$(\d\d)\$[./\w]{53}$/
const maxBcryptCost = 13

/** Whether `password` is the one that was hashed, in constant time. With an empty hash there is none. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  if (stored === '') return false
  if (isImportable(stored)) return verifyBcrypt(password, stored)
  const { cost, nonce, hash } = parse(stored)
  const derived = await derive('argon2id', { message: password, nonce, tagLength: hash.length, ...cost })
  return timingSafeEqual(derived, hash)
}

/** Whether a hash has another cost than new ones: it should be replaced when the password is next sent. */
export function isOutdated(stored: string, newCost = recommendedCost): boolean {
  if (isImportable(stored)) return true
  const { cost } = parse(stored)
  return JSON.stringify(cost) !== JSON.stringify(newCost)
}

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

function parse(stored: string): { cost: PasswordCost; nonce: Buffer; hash: Buffer } {
  const [, memory, passes, parallelism, nonce, hash] = shape.exec(stored) ?? []
  if (!nonce || !hash) throw new Error('A stored password hash is not one of argon2id.')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

/** Letters and digits that are not mistaken for one another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password of 20 characters, about 116 bits. */
export const generatePassword = () => Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Runs work that uses a whole core: one task per key at a time, and at most so many in all that one core stays free. */
export interface HashQueue {
  /** @param hasPriority runs before those without */
  run<T>(key: string, work: () => Promise<T>, hasPriority?: boolean): Promise<T>
}

/**
 * Hashing a password is slow on purpose, so that many sign-ins at once could use up every core. Those with one key wait
 * for one another; the block that follows a failure then stops the ones that still wait.
 *
 * Clients with many addresses can still fill the queue. Those with priority go first, then the latest: one person who
 * comes after two thousand unknown clients waits for the task that runs, not for all of theirs.
 */
export function createHashQueue(concurrency = Math.max(1, availableParallelism() - 1)): HashQueue {
  const lastByKey = new Map<string, Promise<unknown>>()
  const priorityWaiters: (() => void)[] = []
  const otherWaiters: (() => void)[] = []
  let running = 0

  async function acquire(hasPriority: boolean) {
    if (running < concurrency) running++
    else await new Promise<void>((resolve) => (hasPriority ? priorityWaiters : otherWaiters).push(resolve))
  }

  function release() {
    // The next one takes over the slot, so `running` stays as it is.
    const next = priorityWaiters.shift() ?? otherWaiters.pop()
    if (next) next()
    else running--
  }

  async function runInSlot<T>(work: () => Promise<T>, hasPriority: boolean): Promise<T> {
    await acquire(hasPriority)
    try {
      return await work()
    } finally {
      release()
    }
  }

  return {
    run(key, work, hasPriority = false) {
      const result = (lastByKey.get(key) ?? Promise.resolve()).then(() => runInSlot(work, hasPriority))
      const settled = result.then(
        () => {},
        () => {},
      )
      lastByKey.set(key, settled)
      void settled.then(() => {
        if (lastByKey.get(key) === settled) lastByKey.delete(key)
      })
      return result
    },
  }
}
