import { constants, createHash, createPublicKey, publicEncrypt } from 'node:crypto'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import { CheckFailure } from '../parts/runner.ts'
import { xor } from '../parts/xor.ts'
import { type Greeting, loginPacket } from './greeting.ts'
import { noMysql, type Packets, refusal } from './packets.ts'

/** What a server may still ask after the first answer. */
const maxSteps = 6

/** @throws CheckFailure when the server refuses, or asks for what is not known here */
export async function signIn(packets: Packets, greeting: Greeting, check: CheckOf<'mysql'>): Promise<void> {
  const { user, password, database, tls: isSecure } = check
  let plugin = greeting.plugin in proofs ? greeting.plugin : 'mysql_native_password'
  let nonce = greeting.nonce
  packets.write(loginPacket({ user, proof: proofOf(plugin, password, nonce), database, plugin, isSecure }))
  for (let step = 0; step < maxSteps; step++) {
    const packet = await packets.read()
    switch (packet[0]) {
      case 0:
        return
      case 0xff:
        throw refusal(packet)
      case 0xfe: {
        const end = packet.indexOf(0, 1)
        plugin = packet.toString('latin1', 1, end < 0 ? undefined : end).slice(0, 100)
        nonce = packet.subarray(end + 1, end + 21)
        packets.write(plugin === clearPlugin && isSecure ? clear(password) : proofOf(plugin, password, nonce))
        break
      }
      case 1:
        await moreOf(packet, packets, { password, nonce, isSecure })
        break
      default:
        throw noMysql(packet)
    }
  }
  throw new CheckFailure('sign_in_unknown', { said: plugin })
}

const clearPlugin = 'mysql_clear_password'
const clear = (password: string): Buffer => Buffer.from(`${password}\0`)

/** How a password is shown to be known, by the name of the way. */
const proofs: Readonly<Record<string, (password: string, nonce: Buffer) => Buffer>> = {
  mysql_native_password(password, nonce) {
    const once = hash('sha1', Buffer.from(password))
    return xor(once, hash('sha1', nonce, hash('sha1', once)))
  },
  caching_sha2_password(password, nonce) {
    const once = hash('sha256', Buffer.from(password))
    return xor(once, hash('sha256', hash('sha256', once), nonce))
  },
}

/** @throws CheckFailure */
function proofOf(plugin: string, password: string, nonce: Buffer): Buffer {
  const prove = Object.hasOwn(proofs, plugin) ? proofs[plugin] : undefined
  if (!prove) throw new CheckFailure('sign_in_unknown', { said: plugin })
  return password === '' ? Buffer.alloc(0) : prove(password, nonce)
}

/** `caching_sha2_password` that does not remember the password wants it whole: through TLS, or encrypted. */
async function moreOf(
  packet: Buffer,
  packets: Packets,
  { password, nonce, isSecure }: { password: string; nonce: Buffer; isSecure: boolean },
): Promise<void> {
  if (packet[1] === 3) return
  if (packet[1] !== 4) throw noMysql(packet)
  if (isSecure) return packets.write(clear(password))
  packets.write(Buffer.from([2]))
  const key = (await packets.read()).toString('latin1', 1)
  packets.write(encrypted(xor(clear(password), nonce), key))
}

function encrypted(bytes: Buffer, pem: string): Buffer {
  try {
    const key = createPublicKey(pem)
    return publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING }, bytes)
  } catch {
    throw new CheckFailure('sign_in_unknown', { said: 'caching_sha2_password' })
  }
}

function hash(name: 'sha1' | 'sha256', ...parts: Buffer[]): Buffer {
  const made = createHash(name)
  for (const part of parts) made.update(part)
  return made.digest()
}
