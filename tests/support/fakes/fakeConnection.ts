import type { ConnectionEvents, OpenConnection } from '../../../src/api/sessionConnection.ts'

type Frame = Uint8Array<ArrayBuffer>

/** The server's end of a file session's connection, played by a test. */
export class FakeConnection {
  /** Every frame that was sent, in order. */
  readonly sent: Frame[] = []
  isClosed = false
  #events: ConnectionEvents | undefined
  #onSend: ((frame: Frame) => void) | undefined

  /** Connections of the code under test come from here; each opens at once. */
  readonly open: OpenConnection = (_url, events, { onSent } = {}) => {
    this.#events = events
    queueMicrotask(() => events.onOpen())
    return {
      send: async (message) => {
        if (typeof message === 'string') throw new Error('A file session sends no texts.')
        // As a socket does: what is sent is what it was at that moment.
        this.sent.push(message.slice())
        this.#onSend?.(message)
        onSent?.(message)
      },
      buffered: 0,
      close: () => {
        this.isClosed = true
      },
    }
  }

  /** Calls back for each frame that is sent. */
  answer(onSend: (frame: Frame) => void): this {
    this.#onSend = onSend
    return this
  }

  /** Sends a frame to the page; resolves when it was handled. */
  async sendToPage(frame: Uint8Array | string): Promise<void> {
    const bytes = typeof frame === 'string' ? new TextEncoder().encode(frame) : Uint8Array.from(frame)
    await this.#events?.onMessage(bytes)
  }

  /** The connection breaks. */
  break(code = 1006): void {
    this.#events?.onClose(code)
  }
}
