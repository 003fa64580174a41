/** What a client sent is no message. */
export class InvalidMessage extends Error {}

/** A message that is compressed: nothing here can read it, and agents never do that. */
export class CompressedMessage extends InvalidMessage {}

/** A message is longer than is accepted. */
export class MessageTooLong extends Error {}

/** Bytes in front of each message: whether it is compressed, and its length. */
export const prefixBytes = 5

/** Bytes that are allocated at first: a longer message takes memory only as it arrives, not when it is announced. */
const firstBytes = 4 * 1024

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
  let begun = 0

  /** @param present how many bytes of the message have arrived */
  function begin(present: number): PartialMessage {
    if (prefix[0] === 1) throw new CompressedMessage('compressed messages are not supported')
    if (prefix[0] !== 0) throw new InvalidMessage(`${prefix[0]} is no flag of a message`)
    const length = prefix.readUInt32BE(1)
    if (length > maxBytes) throw new MessageTooLong(`received message larger than max (${length} vs. ${maxBytes})`)
    return { bytes: Buffer.allocUnsafe(Math.min(length, Math.max(present, firstBytes))), filled: 0, length }
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
    /**
     * @param stops whether to read no further message for now
     * @returns what was not read
     * @throws MessageTooLong, InvalidMessage
     */
    push(chunk: Buffer, stops: () => boolean = () => false): Buffer {
      let at = 0
      while (at < chunk.length && !stops()) {
        if (!current) {
          if (prefixFilled === 0) begun++
          const taken = Math.min(prefixBytes - prefixFilled, chunk.length - at)
          chunk.copy(prefix, prefixFilled, at, at + taken)
          prefixFilled += taken
          at += taken
          if (prefixFilled < prefixBytes) break
          prefixFilled = 0
          current = begin(chunk.length - at)
        }
        at = fill(current, chunk, at)
        if (current.filled < current.length) break
        const { bytes } = current
        current = undefined
        onMessage(bytes)
      }
      return chunk.subarray(at)
    },
    /** The message that has not arrived whole: its number, and how many bytes are missing as far as that is known. */
    partial(): { number: number; missing: number } | undefined {
      if (current) return { number: begun, missing: current.length - current.filled }
      return prefixFilled > 0 ? { number: begun, missing: 0 } : undefined
    },
    /** Bytes of memory for a message that has not arrived whole. */
    heldBytes: () => current?.bytes.length ?? 0,
    /** Gives that memory back. To be called when nothing is read any more. */
    drop() {
      current = undefined
    },
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
