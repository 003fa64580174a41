/** Bytes that have come over a connection, and were not read. */
export interface WaitingBytes {
  length(): number
  /** All of them, in one piece. */
  all(): Buffer
  add(bytes: Buffer): void
  /** The first bytes, which do not wait any more. */
  take(count: number): Buffer
}

/**
 * What has come and was not read, in one piece. Each byte is copied a few times at most, however small the pieces are in
 * which it comes: a server may send each byte in a record of TLS of its own.
 */
export function createWaitingBytes(): WaitingBytes {
  let store: Buffer = Buffer.alloc(0)
  let begin = 0
  let end = 0
  const length = () => end - begin

  return {
    length,
    all: () => store.subarray(begin, end),
    add(bytes: Buffer): void {
      if (length() === 0) {
        store = bytes
        begin = 0
        end = bytes.length
        return
      }
      if (end + bytes.length > store.length) {
        const larger = Buffer.allocUnsafeSlow(2 * (length() + bytes.length))
        end = store.copy(larger, 0, begin, end)
        begin = 0
        store = larger
      }
      end += bytes.copy(store, end)
    },
    take(count: number): Buffer {
      begin += count
      return store.subarray(begin - count, begin)
    },
  }
}
