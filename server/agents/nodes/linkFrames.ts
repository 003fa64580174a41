import type { Socket } from 'node:net'
import { frameMessage, MessageReader, prefixBytes } from '../grpc/messageReader.ts'

/** What a node that ends the connections of agents says to the one that leads: a kind, the number of a call, and bytes. */
export const toLeader = {
  /** A call has begun: JSON of `OpenedCall`. */
  open: 1,
  /** A message of a call. */
  message: 2,
  /** A report, as `stateDelta.ts` writes it. Its receipt was given. */
  state: 3,
  halfClose: 4,
  /** A call is over. */
  close: 5,
  /** The number is that of a connection, which has ended with all its calls. */
  gone: 6,
  /** The agent has read so many bytes of what was sent on a call: a 32-bit number. */
  read: 7,
  /** The node is there. */
  alive: 8,
} as const

/** What the node that leads answers. */
export const toNode = {
  /** The call may be here: the most bytes of a message, and the number of what its messages count in, 32 bits each. */
  accept: 1,
  message: 2,
  /** The call ends: the code of its status in a byte, and its text. */
  end: 3,
  /** The call is not read for a while. */
  pause: 4,
  resume: 5,
  /** The leader is there, however much it has to do. */
  alive: 6,
} as const

/**
 * Milliseconds between two words that a side is there, and looks as far apart that find nothing, after which a link counts
 * as cut. Looks and not time: after a pause of this process, what was said in it is read before the next look.
 */
export const [aliveMs, silentLooks] = [1000, 6]

/** Changes with what is said on a link. Nodes that differ in it do not speak of agents to each other. */
export const linkProtocol = 1

/** Calls of the agents of one node. It takes 20,000 connections. */
export const maxCalls = 100_000

/** A call as a node tells of it. */
export interface OpenedCall {
  /** The number of its connection. */
  connection: number
  /** The other end of the connection. */
  address: string
  port: number
  /** The headers of the call, with their path. */
  metadata: Record<string, string | string[]>
}

/** A message of the longest kind, an output of a command, and what stands in front of it. */
const maxFrameBytes = 16 * 1024 * 1024 + 1024

const headBytes = 5

/** @param onFrame gets the kind, the number and the bytes of each; they are valid during the call only */
export function createFrameReader(onFrame: (kind: number, id: number, payload: Buffer) => void) {
  const reader = new MessageReader(maxFrameBytes, ({ buffer, byteOffset, byteLength }) => {
    const frame = Buffer.from(buffer, byteOffset, byteLength)
    onFrame(frame.readUInt8(0), frame.readUInt32LE(1), frame.subarray(headBytes))
  })
  /** @throws InvalidMessage, MessageTooLong, RangeError when it is not what a node sends */
  return (chunk: Buffer) => void reader.push(chunk)
}

/** Writes frames, several at once. */
export interface FrameWriter {
  /** @param isUrgent whether it leaves in this turn of the event loop, with all before it. Default: true */
  send(kind: number, id: number, payload?: Uint8Array, isUrgent?: boolean): void
  /** Bytes that have not left yet. */
  waitingBytes(): number
  /** Writes no more. */
  close(): void
}

/** Milliseconds that frames without urgency wait for others. */
const gatherMs = 100

export function createFrameWriter(socket: Socket): FrameWriter {
  let gathered: Buffer[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let isFlushComing = false
  let isClosed = false

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    isFlushComing = false
    if (isClosed || gathered.length === 0) return
    const all = Buffer.concat(gathered, bytes)
    gathered = []
    bytes = 0
    socket.write(all)
  }

  return {
    send(kind, id, payload = nothing, isUrgent = true) {
      if (isClosed) return
      const frame = Buffer.allocUnsafe(headBytes + payload.length)
      frame.writeUInt8(kind, 0)
      frame.writeUInt32LE(id, 1)
      frame.set(payload, headBytes)
      gathered.push(frameMessage(frame))
      bytes += prefixBytes + frame.length
      if (isUrgent && !isFlushComing) {
        isFlushComing = true
        setImmediate(flush)
      } else timer ??= setTimeout(flush, gatherMs)
    },
    waitingBytes: () => bytes + socket.writableLength,
    close() {
      isClosed = true
      clearTimeout(timer)
      gathered = []
      bytes = 0
    },
  }
}

const nothing = new Uint8Array()

export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * 4)
  for (const [place, value] of values.entries()) bytes.writeUInt32LE(value, place * 4)
  return bytes
}
