import type { ClientRequest, IncomingMessage } from 'node:http'
import { untilAborted } from './untilAborted.ts'

/**
 * The reply to a request, as soon as its headers have arrived. Settles whatever the target does: Node reports a switch
 * of protocols that nobody asked for, and a connection that closes without a word, by events other than `response` and
 * `error`, and after a switch it no longer listens to the signal of the request.
 * @param signal of the request; when it is aborted, the connection is closed
 * @throws Error of the connection, or the reason of `signal`
 */
export async function awaitReply(outgoing: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const reply = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', resolve)
    // A reply of 101: its connection is closed with the reply.
    outgoing.on('upgrade', resolve)
    outgoing.on('close', () => reject(new Error('socket hang up')))
  })
  try {
    return await untilAborted(reply, signal)
  } catch (error) {
    outgoing.destroy()
    throw error
  }
}
