import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

interface Cost {
  /** KiB */
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's advice for argon2id. The numbers are kept with each hash, so raising them locks nobody out. */
const presentCost: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

/** @returns the hash as text with its salt and cost: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash` */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(saltBytes)
  const hash = await derive('argon2id', { message: password, nonce, tagLength: hashBytes, ...presentCost })
  const { memory, passes, parallelism } = presentCost
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(hash)}`
}

/** Whether `password` is the one that was hashed. Takes as long for a wrong one as for the right one. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const { cost, nonce, hash } = parse(stored)
  const found = await derive('argon2id', { message: password, nonce, tagLength: hash.length, ...cost })
  return timingSafeEqual(found, hash)
}

/** Whether a hash was made at another cost than today's and should be made anew when the password is known. */
export function isOutdated(stored: string): boolean {
  const { cost } = parse(stored)
  return JSON.stringify(cost) !== JSON.stringify(presentCost)
}

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

function parse(stored: string): { cost: Cost; nonce: Buffer; hash: Buffer } {
  const [, memory, passes, parallelism, nonce, hash] = shape.exec(stored) ?? []
  if (!nonce || !hash) throw new Error('A stored password hash is not one of argon2id.')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    nonce: Buffer.from(nonce, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
