/** A frame while it is built and sent. */
export interface FrameBytes {
  append(text: string): void
  /** What was appended so far, in UTF-8. */
  readonly bytes: Buffer
  /** Keeps the memory until the returned function is called. */
  hold(): () => void
}

/** Memory for frames, which is used again when a frame has been sent to all. */
export interface FrameMemory {
  /** Memory that nobody holds. It may be given to the next frame as soon as its last holder has released it. */
  take(): FrameBytes
}

/** Bytes at first; a frame of a large fleet has megabytes. */
const initialBytes = 16 * 1024
/** Blocks that wait for the next frame. */
const maxFree = 4
/** Bytes of UTF-8 of a character, at most. */
const bytesPerCharacter = 3

/**
 * Frames of megabytes every two seconds would be garbage that the collector looks at late, and holes in the memory of
 * the process.
 */
export function createFrameMemory(): FrameMemory {
  const free: Buffer[] = []

  function take(): FrameBytes {
    let block = free.pop() ?? Buffer.allocUnsafeSlow(initialBytes)
    let length = 0
    let holders = 0

    function growTo(needed: number): void {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, block.length * 2))
      block.copy(larger, 0, 0, length)
      block = larger
    }

    return {
      append(text) {
        const needed = length + text.length * bytesPerCharacter
        if (needed > block.length) growTo(needed)
        length += block.write(text, length)
      },
      get bytes() {
        return block.subarray(0, length)
      },
      hold() {
        holders++
        let isHeld = true
        return () => {
          if (!isHeld) return
          isHeld = false
          holders--
          if (holders === 0 && free.length < maxFree) free.push(block)
        }
      },
    }
  }

  return { take }
}
