import type { Random } from '../../seed/random.ts'
import { chance, type Sent, several, someBytes } from './frameCase.ts'

const opcodes = [0, 1, 2, 8, 9, 10, 3, 7, 11, 15] as const
const closeCodes = [1000, 1001, 1005, 1006, 1009, 1015, 999, 0, 3000, 5000, 65_535] as const

/** One frame; its bits, mask, length and content need not go together. */
export function webSocketFrame(random: Random, isMasked = chance(random, 92)): Buffer {
  const opcode = random.oneOf(opcodes)
  const first = (chance(random, 70) ? 0x80 : 0) | (chance(random, 8) ? random.oneOf([0x40, 0x20, 0x70]) : 0) | opcode
  const content = contentOf(random, opcode)
  const told = chance(random, 88) ? content.length : random.oneOf([0, 125, 126, 127, 65_536, 2 ** 31, 2 ** 53, 1])
  const length = lengthBytes(told, chance(random, 92) ? undefined : random.oneOf([126, 127]))
  length[0] = (length[0] ?? 0) | (isMasked ? 0x80 : 0)
  const mask = isMasked ? Buffer.from([1, 2, 3, random.whole(256)]) : Buffer.alloc(0)
  const masked = isMasked ? content.map((byte, at) => byte ^ (mask[at % 4] ?? 0)) : content
  return Buffer.concat([Buffer.from([first]), length, mask, masked])
}

function contentOf(random: Random, opcode: number): Buffer {
  if (opcode === 8) {
    const code = Buffer.alloc(2)
    code.writeUInt16BE(random.oneOf(closeCodes))
    return Buffer.concat([code, someBytes(random, chance(random, 90) ? 20 : 200)]).subarray(
      0,
      chance(random, 10) ? 1 : undefined,
    )
  }
  if (opcode >= 8) return someBytes(random, chance(random, 85) ? 126 : 300)
  return chance(random, 30) ? Buffer.from('{"type":"x"}') : someBytes(random, chance(random, 95) ? 300 : 70_000)
}

/** @param form 126 or 127: also where the length needs less */
function lengthBytes(length: number, form?: number): Buffer {
  if (form === undefined && length < 126) return Buffer.from([length])
  if ((form ?? (length < 65_536 ? 126 : 127)) === 126) {
    const bytes = Buffer.alloc(3)
    bytes[0] = 126
    bytes.writeUInt16BE(length % 65_536, 1)
    return bytes
  }
  const bytes = Buffer.alloc(9)
  bytes[0] = 127
  bytes.writeBigUInt64BE(BigInt(length), 1)
  return bytes
}

/** A handshake, and frames with it or after it. @param cookie of a session, for the sockets that want one */
export function webSocketBytes(random: Random, host: string, cookie: string): Sent {
  const path = random.oneOf([
    '/api/v1/ws/server',
    '/api/v1/ws/server',
    '/api/v1/ws/transfer',
    '/api/v1/ws/terminal/x',
    '/api/v1/ws/file/x',
  ])
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version: 13',
    ...(chance(random, 30) ? ['Sec-WebSocket-Extensions: permessage-deflate'] : []),
    ...(chance(random, 50) ? [`Cookie: ${cookie}`] : []),
  ]
  const handshake = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
  return { kind: 'WebSocket: frames', before: handshake, parts: several(random, 10, () => webSocketFrame(random)) }
}
