/** The far end of a WebSocket, played by a test. */
export class FakeSocket {
  /** Every socket opened so far, oldest first. */
  static opened: FakeSocket[] = []
  static get newest(): FakeSocket {
    const socket = FakeSocket.opened.at(-1)
    if (!socket) throw new Error('Nobody has opened a socket yet.')
    return socket
  }

  readonly url: string
  isClosed = false
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null

  constructor(url: string) {
    this.url = url
    FakeSocket.opened.push(this)
  }

  /** The server sends a frame. */
  say(frame: unknown): void {
    this.onmessage?.({ data: typeof frame === 'string' ? frame : JSON.stringify(frame) })
  }

  /** The connection breaks. */
  break(): void {
    this.isClosed = true
    this.onclose?.()
  }

  /** The browser closes its side. */
  close(): void {
    this.isClosed = true
  }
}

/** As far as the code under test uses a WebSocket, this is one. */
export const FakeWebSocket = FakeSocket as unknown as typeof WebSocket
