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

/** What is left when all was read. */
export const noBytes: Buffer = Buffer.alloc(0)

interface PartialMessage {
  bytes: Buffer
  filled: number
  length: number
}

/**
 * Cuts what arrives on a stream into messages, whatever the pieces in which they come. A message that came in one piece is
 * a part of that piece: whoever keeps it for long keeps a copy.
 */
export class MessageReader {
  readonly #maxBytes: number
  readonly #onMessage: (message: Uint8Array) => void
  /** The first bytes of a prefix that has not arrived whole. */
  #prefix = noBytes
  #current: PartialMessage | undefined
  #begun = 0

  constructor(maxBytes: number, onMessage: (message: Uint8Array) => void) {
    this.#maxBytes = maxBytes
    this.#onMessage = onMessage
  }

  /**
   * @param stops whether to read no further message for now
   * @returns what was not read
   * @throws MessageTooLong, InvalidMessage
   */
  push(chunk: Buffer, stops: () => boolean = () => false): Buffer {
    let at = 0
    while (at < chunk.length && !stops()) {
      if (this.#current) {
        at = fill(this.#current, chunk, at)
        if (this.#current.filled < this.#current.length) break
        const { bytes } = this.#current
        this.#current = undefined
        this.#onMessage(bytes)
        continue
      }
      if (this.#prefix.length === 0) this.#begun++
      let [prefix, start] = [chunk, at]
      if (this.#prefix.length === 0 && chunk.length - at >= prefixBytes) at += prefixBytes
      else {
        const taken = Math.min(prefixBytes - this.#prefix.length, chunk.length - at)
        ;[prefix, start] = [Buffer.concat([this.#prefix, chunk.subarray(at, at + taken)]), 0]
        at += taken
        this.#prefix = prefix.length < prefixBytes ? prefix : noBytes
        if (prefix.length < prefixBytes) break
      }
      const length = this.#lengthIn(prefix, start)
      const present = chunk.length - at
      if (present >= length) {
        at += length
        this.#onMessage(chunk.subarray(at - length, at))
      } else {
        this.#current = {
          bytes: Buffer.allocUnsafe(Math.min(length, Math.max(present, firstBytes))),
          filled: 0,
          length,
        }
      }
    }
    return at < chunk.length ? chunk.subarray(at) : noBytes
  }

  /** @throws CompressedMessage, InvalidMessage, MessageTooLong */
  #lengthIn(bytes: Buffer, start: number): number {
    const flag = bytes[start]
    if (flag === 1) throw new CompressedMessage('compressed messages are not supported')
    if (flag !== 0) throw new InvalidMessage(`${flag} is no flag of a message`)
    const length = bytes.readUInt32BE(start + 1)
    if (length > this.#maxBytes) {
      throw new MessageTooLong(`received message larger than max (${length} vs. ${this.#maxBytes})`)
    }
    return length
  }

  /** The message that has not arrived whole: its number, and how many bytes are missing as far as that is known. */
  partial(): { number: number; missing: number } | undefined {
    if (this.#current) return { number: this.#begun, missing: this.#current.length - this.#current.filled }
    return this.#prefix.length > 0 ? { number: this.#begun, missing: 0 } : undefined
  }

  /** Bytes of memory for a message that has not arrived whole. */
  heldBytes(): number {
    return this.#current?.bytes.length ?? 0
  }

  /** Gives that memory back. To be called when nothing is read any more. */
  drop(): void {
    this.#current = undefined
  }
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

/** A message as it travels. */
export function frameMessage(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(prefixBytes + message.length)
  framed[0] = 0
  framed.writeUInt32BE(message.length, 1)
  framed.set(message, prefixBytes)
  return framed
}
