import { CheckFailure, otherProtocol, refusedByServer } from '../parts/runner.ts'
import type { Conversation } from '../parts/textConnection.ts'

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
