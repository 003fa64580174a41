/**
 * Agents send the error of their last read as a frame of text before they end a stream: `EOF` when the service closed
 * its connection, `read /dev/ptmx: input/output error` when the shell exited (docs/contract/AGENT.md#8-iostream-sessions-m).
 * It is no output, but only the end shows that: the text could have been printed.
 */
export interface ReadErrors {
  add(frame: Uint8Array): void
  /** Call it at the end of the stream. @returns the error, if there was one */
  end(): string | undefined
}

/** Milliseconds. Agents end the stream in the same instant, and the network may delay one of two packets. */
const holdMs = 250
/** Bytes; no error is longer. */
const maxErrorBytes = 300

/** @param deliver gets all frames that are not the last error, in order */
export function createReadErrors(isReadError: RegExp, deliver: (frame: Uint8Array) => void): ReadErrors {
  let held: Uint8Array | undefined
  let timer: NodeJS.Timeout | undefined

  function release(): void {
    clearTimeout(timer)
    const frame = held
    held = undefined
    if (frame) deliver(frame)
  }

  return {
    add(frame) {
      release()
      if (frame.length > maxErrorBytes || !isReadError.test(textOf(frame))) return deliver(frame)
      held = frame
      timer = setTimeout(release, holdMs)
    },
    end() {
      clearTimeout(timer)
      const text = held && textOf(held)
      held = undefined
      return text
    },
  }
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
