import { type ClientOptions, WebSocket } from 'ws'
import { openConnection } from '../parts/connection.ts'
import { CheckFailure, type Runner } from '../parts/runner.ts'
import { hasText } from '../parts/textSearch.ts'

/** Bytes of a message. */
const maxPayload = 1024 * 1024
/** Bytes of all messages in which is looked for what is expected. */
const maxSearched = 16 * maxPayload
/** What each message and ping counts at least: an empty one costs as much as a kilobyte. */
const leastSearched = 1024
/** Parts of a message, which the types of the library do not know yet. */
const limits: ClientOptions & { maxFragments: number } = { maxPayload, maxFragments: 256 }

/** Opens a WebSocket, and waits for the message that is expected. */
export const runWebsocket: Runner<'websocket'> = async (check, target, context) => {
  const url = new URL(target.replace(/^http/i, 'ws'))
  // Never sent, and refused by the library.
  url.hash = ''
  const isTls = url.protocol === 'wss:'
  const address = `${url.hostname}:${url.port || (isTls ? 443 : 80)}`
  const { stream } = await openConnection(address, context, { tls: isTls, verify_tls: check.verify_tls })
  // The library listens a turn later, and no longer after it has let go.
  stream.on('error', () => {})
  const startedAt = performance.now()
  let socket: WebSocket
  try {
    socket = new WebSocket(url, {
      headers: { 'user-agent': context.userAgent, ...check.headers },
      createConnection: () => stream as never,
      ...limits,
      perMessageDeflate: false,
    })
  } catch (error) {
    // A header that cannot be sent.
    stream.destroy()
    throw error
  }
  try {
    const messages: string[] = []
    let searched = 0
    let isFound = false
    await new Promise<void>((resolve, reject) => {
      /** Ends it at once at the limit: what has been read of the connection is worked off in one go otherwise. */
      const count = (bytes: number) => {
        searched += Math.max(bytes, leastSearched)
        if (searched <= maxSearched) return
        resolve()
        socket.terminate()
      }
      context.signal.addEventListener('abort', () => reject(context.signal.reason), { once: true })
      socket.on('error', reject)
      stream.on('error', reject)
      socket.on('unexpected-response', (_request, { statusCode = 0 }) =>
        reject(new CheckFailure('no_websocket', { said: statusCode }, { code: statusCode })),
      )
      socket.on('open', () => {
        context.phases.first_byte = performance.now() - startedAt
        if (check.send) socket.send(check.send)
        if (!check.expect) resolve()
      })
      socket.on('message', (data) => {
        const text = String(data)
        messages.push(text.slice(0, 4096))
        if (messages.length > 100) messages.shift()
        isFound ||= hasText(text, check.expect)
        if (isFound) resolve()
        else count(text.length)
      })
      for (const name of ['ping', 'pong'] as const) socket.on(name, () => count(0))
      socket.on('close', () => resolve())
    }).catch((error: unknown) => {
      // What has come until the time was over is the answer.
      if (!context.signal.aborted || messages.length === 0) throw error
    })
    return {
      code: 101,
      answer: messages.join('\n'),
      rules: check.expect ? [{ rule: 'expect', ok: isFound, expected: check.expect }] : [],
    }
  } finally {
    socket.terminate()
    stream.destroy()
  }
}
