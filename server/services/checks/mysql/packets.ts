import type { Conversation } from '../parts/connection.ts'
import { CheckFailure, otherProtocol, refusedByServer } from '../parts/runner.ts'

/** Bytes of a packet, and packets of a whole check. */
const limits = { bytes: 200_000, packets: 1500 } as const

/** Reads and writes the packets of MySQL, which are counted. */
export interface Packets {
  /** @throws CheckFailure for one that is too long, or one too many */
  read(): Promise<Buffer>
  write(body: Buffer): void
  /** Begins a command, with which the count begins anew. */
  begin(): void
  /** The number of the next packet. */
  sequence(): number
}

/** @param first the number of the next packet */
export function createPackets(talk: Conversation, first = 0): Packets {
  let sequence = first
  let left: number = limits.packets
  return {
    async read() {
      if (left-- <= 0) throw new CheckFailure('too_much')
      const head = await talk.bytes(4)
      const length = head.readUIntLE(0, 3)
      // The first four bytes of something else name a length, too.
      if (head[3] !== sequence) throw noMysql(Buffer.concat([head, talk.pending()]))
      if (length > limits.bytes) throw new CheckFailure('too_much')
      sequence = (sequence + 1) & 255
      return talk.bytes(length)
    },
    write(body) {
      const head = Buffer.alloc(4)
      head.writeUIntLE(body.length, 0, 3)
      head[3] = sequence
      sequence = (sequence + 1) & 255
      talk.write(Buffer.concat([head, body]))
    },
    begin() {
      sequence = 0
    },
    sequence: () => sequence,
  }
}

/** What the server says against it, in a packet that begins with 0xff, a code and perhaps a state. */
export function refusal(packet: Buffer): CheckFailure {
  const said = packet.toString('utf8', 3, 503).replace(/^#.{5}/, '')
  const code = packet.length >= 3 ? packet.readUInt16LE(1) : undefined
  return refusedByServer(said, code || undefined)
}

export const noMysql = (bytes: Buffer): CheckFailure => otherProtocol('MySQL', bytes)

/** What a server says first (protocol 10). */
export interface Greeting {
  version: string
  capabilities: number
  /** The bytes that a password is hashed with. */
  nonce: Buffer
  /** The way to sign in that the server begins with. */
  plugin: string
}

/** Bits by which both sides say what they can. */
export const capabilities = {
  longPassword: 1,
  withDatabase: 1 << 3,
  protocol41: 1 << 9,
  ssl: 1 << 11,
  transactions: 1 << 13,
  secureConnection: 1 << 15,
  pluginAuth: 1 << 19,
} as const

const { longPassword, withDatabase, protocol41, ssl, transactions, secureConnection, pluginAuth } = capabilities
const usual = longPassword | protocol41 | transactions | secureConnection | pluginAuth

/** @throws CheckFailure when the server turns everybody away, or is none */
export function readGreeting(packet: Buffer): Greeting {
  if (packet[0] === 0xff) throw refusal(packet)
  const end = packet.indexOf(0, 1)
  if (packet[0] !== 10 || end < 0 || packet.length < end + 32) throw noMysql(packet)
  const at = end + 1
  const low = packet.readUInt16LE(at + 13)
  const high = packet.readUInt16LE(at + 18)
  const rest = packet.subarray(at + 31)
  // Twenty bytes in two parts, and a zero behind them.
  const nonce = Buffer.concat([packet.subarray(at + 4, at + 12), rest.subarray(0, 12)])
  const plugin = rest.toString('latin1', 13).split('\0')[0] ?? ''
  return {
    version: packet.toString('utf8', 1, end).slice(0, 200),
    capabilities: (low | (high << 16)) >>> 0,
    nonce,
    plugin: plugin || 'mysql_native_password',
  }
}

/** Asks for TLS before anything else is said. */
export const sslRequest = (): Buffer => clientHead(usual | ssl)

interface Login {
  user: string
  proof: Buffer
  database: string
  plugin: string
  isSecure: boolean
}

/** Who signs in, and with what. */
export function loginPacket({ user, proof, database, plugin, isSecure }: Login): Buffer {
  const flags = usual | (database ? withDatabase : 0) | (isSecure ? ssl : 0)
  const text = (value: string) => Buffer.from(`${value}\0`)
  return Buffer.concat([
    clientHead(flags),
    text(user),
    Buffer.from([proof.length]),
    proof,
    ...(database ? [text(database)] : []),
    text(plugin),
  ])
}

const utf8mb4 = 45

function clientHead(flags: number): Buffer {
  const head = Buffer.alloc(32)
  head.writeUInt32LE(flags, 0)
  head.writeUInt32LE(0xff_ffff, 4)
  head[8] = utf8mb4
  return head
}
