import { constants, createHash, createPublicKey, publicEncrypt } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { CheckOf } from '../../../../src/schemas/checks/checks.ts'
import { openConnection, secured, timedTalk } from '../parts/connection.ts'
import { CheckFailure, type Findings, type RunContext, type Runner, rowLimits, rowsText } from '../parts/runner.ts'
import { xor } from '../parts/scram.ts'
import {
  capabilities,
  createPackets,
  type Greeting,
  loginPacket,
  noMysql,
  type Packets,
  readGreeting,
  refusal,
  sslRequest,
} from './packets.ts'

/**
 * Asks whether MySQL or MariaDB answers, signs in where it should, and asks for a row. The protocol is spoken here
 * (docs/decisions/service-checks.md).
 */
export const runMysql: Runner<'mysql'> = async (check, target, context) => {
  const { stream } = await openConnection(target, context)
  try {
    const talk = timedTalk(stream, context)
    const packets = createPackets(talk)
    const greeting = readGreeting(await packets.read())
    if (!check.tls) return await ask(packets, greeting, check)
    if (!(greeting.capabilities & capabilities.ssl)) throw new CheckFailure('no_starttls', { said: greeting.version })
    packets.write(sslRequest())
    talk.release()
    return await askSecured(stream, packets.sequence(), greeting, { check, target, context })
  } finally {
    stream.destroy()
  }
}

async function askSecured(
  plain: Duplex,
  sequence: number,
  greeting: Greeting,
  { check, target, context }: { check: CheckOf<'mysql'>; target: string; context: RunContext },
): Promise<Findings> {
  const stream = await secured(plain, target, context, check)
  return ask(createPackets(timedTalk(stream, context), sequence), greeting, check)
}

/** The name under which is asked whether somebody is there: a connection that says nothing counts as a broken one. */
const nobody = 'wheelhouse'

async function ask(packets: Packets, greeting: Greeting, check: CheckOf<'mysql'>): Promise<Findings> {
  if (!check.user) {
    const answer = await signIn(packets, greeting, { ...check, user: nobody, password: '', database: '' }).then(
      () => greeting.version,
      (error: unknown) => {
        // Without a sign-in, a server that asks for one answers as what it is.
        if (error instanceof CheckFailure && error.reason.key === 'refused_by_server') return error.reason.values.said
        throw error
      },
    )
    return { answer: String(answer) }
  }
  await signIn(packets, greeting, check)
  if (!check.query) return { answer: greeting.version }
  const rows = await query(packets, check.query)
  packets.begin()
  packets.write(Buffer.from([1]))
  return { answer: rowsText(rows), rules: [{ rule: 'query', ok: rows.length > 0, expected: check.query }] }
}

async function query(packets: Packets, text: string): Promise<(string | null)[][]> {
  packets.begin()
  packets.write(Buffer.concat([Buffer.from([3]), Buffer.from(text)]))
  const first = await packets.read()
  if (first[0] === 0xff) throw refusal(first)
  // Nothing but that it is done; or that a file of this machine is wanted.
  if (first[0] === 0 || first[0] === 0xfb) return []
  return readRows(packets, first)
}

const maxColumns = 500

/** Reads the first rows of a reply. @param first its first packet, with the number of columns @throws CheckFailure */
async function readRows(packets: Packets, first: Buffer): Promise<(string | null)[][]> {
  const columns = lengthAt(first, 0)?.value ?? 0
  if (columns > maxColumns) throw new CheckFailure('too_much')
  // What the columns are called, and an end after it.
  for (let index = 0; index <= columns; index++) await packets.read()
  const rows: (string | null)[][] = []
  while (rows.length < rowLimits.rows) {
    const packet = await packets.read()
    if (packet[0] === 0xff) throw refusal(packet)
    if (packet[0] === 0xfe && packet.length < 9) break
    rows.push(valuesOf(packet, columns))
  }
  return rows
}

function valuesOf(packet: Buffer, columns: number): (string | null)[] {
  const values: (string | null)[] = []
  let at = 0
  for (let index = 0; index < columns; index++) {
    if (packet[at] === 0xfb) {
      values.push(null)
      at++
      continue
    }
    const length = lengthAt(packet, at)
    if (!length || length.end + length.value > packet.length) throw noMysql(packet)
    values.push(packet.toString('utf8', length.end, length.end + Math.min(length.value, rowLimits.value)))
    at = length.end + length.value
  }
  return values
}

/** A length, in one byte, or in two, three or eight after it. */
function lengthAt(packet: Buffer, at: number): { value: number; end: number } | undefined {
  const first = packet[at]
  if (first === undefined || first === 0xfb || first === 0xff) return undefined
  if (first < 0xfb) return { value: first, end: at + 1 }
  const bytes = first === 0xfc ? 2 : first === 0xfd ? 3 : 8
  const end = at + 1 + bytes
  if (end > packet.length) return undefined
  return { value: bytes === 8 ? Number(packet.readBigUInt64LE(at + 1)) : packet.readUIntLE(at + 1, bytes), end }
}

/** What a server may still ask after the first answer. */
const maxSteps = 6

/** @throws CheckFailure when the server refuses, or asks for what is not known here */
async function signIn(packets: Packets, greeting: Greeting, check: CheckOf<'mysql'>): Promise<void> {
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
