/** What a client sent is no message. */
export class InvalidMessage extends Error {}

/** A message that is compressed: nothing here can read it, and agents never do that. */
export class CompressedMessage extends InvalidMessage {}

/** A message is longer than is accepted. */
export class MessageTooLong extends Error {}

/** Bytes in front of each message: whether it is compressed, and its length. */
export const prefixBytes = 5

/** Bytes that are allocated at first: a longer message takes memory only as it arrives, not when it is announced. */
const firstBytes = 64 * 1024

interface PartialMessage {
  bytes: Buffer
  filled: number
  length: number
}

/** Cuts what arrives on a stream into messages, whatever the pieces in which they come. */
export function createMessageReader(maxBytes: number, onMessage: (message: Uint8Array) => void) {
  const prefix = Buffer.alloc(prefixBytes)
  let prefixFilled = 0
  let current: PartialMessage | undefined

  function begin(): PartialMessage {
    if (prefix[0] === 1) throw new CompressedMessage('compressed messages are not supported')
    if (prefix[0] !== 0) throw new InvalidMessage(`${prefix[0]} is no flag of a message`)
    const length = prefix.readUInt32BE(1)
    if (length > maxBytes) throw new MessageTooLong(`received message larger than max (${length} vs. ${maxBytes})`)
    return { bytes: Buffer.allocUnsafe(Math.min(length, firstBytes)), filled: 0, length }
  }

  /** @returns the position behind what was taken */
  function fill(message: PartialMessage, chunk: Buffer, at: number): number {
    const taken = Math.min(message.length - message.filled, chunk.length - at)
    const needed = message.filled + taken
    if (needed > message.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(message.length, Math.max(needed, message.bytes.length * 2)))
      message.bytes.copy(larger, 0, 0, message.filled)
      message.bytes = larger
    }
    chunk.copy(message.bytes, message.filled, at, at + taken)
    message.filled = needed
    return at + taken
  }

  return {
    /** @throws MessageTooLong, InvalidMessage */
    push(chunk: Buffer): void {
      let at = 0
      while (at < chunk.length) {
        if (!current) {
          const taken = Math.min(prefixBytes - prefixFilled, chunk.length - at)
          chunk.copy(prefix, prefixFilled, at, at + taken)
          prefixFilled += taken
          at += taken
          if (prefixFilled < prefixBytes) return
          prefixFilled = 0
          current = begin()
        }
        at = fill(current, chunk, at)
        if (current.filled < current.length) return
        const { bytes } = current
        current = undefined
        onMessage(bytes)
      }
    },
    /** Whether a stream may end here. */
    isBetweenMessages: () => current === undefined && prefixFilled === 0,
  }
}

/** A message as it travels. */
export function frameMessage(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(prefixBytes + message.length)
  framed[0] = 0
  framed.writeUInt32BE(message.length, 1)
  framed.set(message, prefixBytes)
  return framed
}
