import { noMysql, refusal } from './packets.ts'

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
