import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { CheckFailure } from './runner.ts'

const derive = promisify(pbkdf2)
/** Rounds of hashing that a server may ask for, some 100 ms of the processor: usual are 4,096 and 15,000. */
const maxRounds = 200_000

/** The client's side of a sign-in by SCRAM-SHA-256 (RFC 5802, RFC 7677), without channel binding. */
export interface Scram {
  first: string
  /** @param message the first one of the server @returns what is sent then @throws CheckFailure */
  answer(message: string): Promise<string>
  /** Whether the server has shown that it knows the password. @param message its last one */
  isProven(message: string): boolean
}

export function scramSha256(user: string, password: string): Scram {
  const nonce = randomBytes(18).toString('base64')
  const bare = `n=${user.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`
  let proof: Buffer | undefined
  return {
    first: `n,,${bare}`,
    async answer(message) {
      const { r = '', s = '', i = '' } = attributes(message)
      const rounds = Number(i)
      if (!r.startsWith(nonce) || r === nonce || s === '' || !(rounds >= 1)) {
        throw new CheckFailure('sign_in_unknown', { said: message.slice(0, 200) })
      }
      if (rounds > maxRounds) throw new CheckFailure('sign_in_costly', { said: rounds })
      const salted = await derive(password.normalize('NFKC'), Buffer.from(s, 'base64'), rounds, 32, 'sha256')
      const clientKey = hmac(salted, 'Client Key')
      const final = `c=biws,r=${r}`
      const exchanged = `${bare},${message},${final}`
      const signature = hmac(createHash('sha256').update(clientKey).digest(), exchanged)
      proof = hmac(hmac(salted, 'Server Key'), exchanged)
      return `${final},p=${xor(clientKey, signature).toString('base64')}`
    },
    isProven(message) {
      const shown = Buffer.from(attributes(message).v ?? '', 'base64')
      return proof !== undefined && shown.length === proof.length && timingSafeEqual(shown, proof)
    },
  }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** `r=abc,s=def` by its letters. */
const attributes = (message: string): Partial<Record<string, string>> =>
  Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]))

/** @param mask is repeated as far as it is needed */
export const xor = (bytes: Buffer, mask: Buffer): Buffer =>
  Buffer.from(bytes.map((byte, index) => byte ^ (mask[index % Math.max(1, mask.length)] ?? 0)))
