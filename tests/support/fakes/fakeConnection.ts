import type { LineEvents, OpenLine } from '../../../src/custom/files/transfer/fileConnection.ts'

/** The far end of a file session's line, played by a test. */
export class FakeLine {
  /** Every frame that was sent, in order. */
  readonly sent: Uint8Array<ArrayBuffer>[] = []
  isClosed = false
  #events: LineEvents | undefined
  #onSend: ((frame: Uint8Array<ArrayBuffer>) => void) | undefined

  /** Lines of the code under test come from here; each opens at once. */
  readonly open: OpenLine = (_url, events) => {
    this.#events = events
    queueMicrotask(() => events.onOpen())
    return {
      send: async (frame) => {
        // As a socket does: what is sent is what it was at that moment.
        this.sent.push(frame.slice())
        this.#onSend?.(frame)
      },
      waiting: 0,
      close: () => {
        this.isClosed = true
      },
    }
  }

  /** Calls back for each frame that is sent. */
  answer(onSend: (frame: Uint8Array<ArrayBuffer>) => void): this {
    this.#onSend = onSend
    return this
  }

  /** A frame from the server; resolves when it has been taken. */
  async say(frame: Uint8Array | string): Promise<void> {
    const bytes = typeof frame === 'string' ? new TextEncoder().encode(frame) : Uint8Array.from(frame)
    await this.#events?.onFrame(bytes)
  }

  /** The line breaks. */
  break(): void {
    this.#events?.onLost()
  }
}
