import { WebSocket } from 'ws'
import type { Refusal } from '../../recorded/socketRecording.ts'
import { openSessionSocket } from './sessionSocket.ts'

/** Milliseconds until what is waited for counts as missing. */
const patienceMs = 15_000

/** One open socket of a terminal. */
export interface TerminalConnection {
  socket: WebSocket
  /** All that was printed so far, as text. */
  output(): string
  /** Sends a frame of text, as typed. */
  type(text: string): void
  /** Sends a binary frame. */
  send(frame: Uint8Array): void
  /** Resolves when the output matches, or holds a text. */
  until(pattern: RegExp | string): Promise<void>
  /** Lengths of the frames that came. */
  frames: number[]
  /** Resolves with the close code. */
  closed: Promise<number>
}

/**
 * Opens the socket of a terminal; it is closed when the test is over.
 * @param address `http://127.0.0.1:<port>`
 * @throws Error with the reply, when it is refused
 */
export async function openTerminalSocket(
  address: string,
  sessionId: string,
  headers: Record<string, string>,
): Promise<TerminalConnection> {
  const decoder = new TextDecoder()
  const frames: number[] = []
  const listeners = new Set<(piece: string) => void>()
  let output = ''
  const { socket, closed } = await openSessionSocket(address, `terminal/${sessionId}`, headers, (data, isBinary) => {
    if (!isBinary) throw new Error('output must be binary')
    frames.push(data.length)
    const piece = decoder.decode(data, { stream: true })
    output += piece
    for (const listen of listeners) listen(piece)
  })
  return {
    socket,
    output: () => output,
    type: (text) => socket.send(text),
    send: (frame) => socket.send(frame),
    until(pattern) {
      return new Promise((resolve, reject) => {
        let text = output
        const isThere = () => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text))
        const failure = () => new Error(`no ${pattern} in …${output.slice(-300)}`)
        const timer = setTimeout(() => settle(() => reject(failure())), patienceMs)
        function settle(done: () => void): void {
          clearTimeout(timer)
          listeners.delete(listen)
          done()
        }
        function listen(piece: string): void {
          // From a line that was still open: floods are too long to be searched from the beginning again and again.
          text = text.slice(text.lastIndexOf('\n', text.length - 4096) + 1) + piece
          if (isThere()) settle(resolve)
        }
        listeners.add(listen)
        if (isThere()) settle(resolve)
      })
    },
    frames,
    closed,
  }
}

/** How a server refuses a socket. Rejects when it does not. */
export function refusalOf(url: string, headers: Record<string, string>): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers })
    socket.on('open', () => {
      socket.terminate()
      reject(new Error('the socket was let in'))
    })
    socket.on('error', () => {})
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'], text }),
      )
    })
  })
}
