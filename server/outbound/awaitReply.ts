import type { ClientRequest, IncomingMessage } from 'node:http'
import { ClosedWithoutReplyError } from './failureReason.ts'
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
    outgoing.on('error', (error) => reject(isHangUp(error) ? new ClosedWithoutReplyError() : error))
    outgoing.on('response', resolve)
    // A reply of 101: its connection is closed with the reply.
    outgoing.on('upgrade', resolve)
    outgoing.on('close', () => reject(new ClosedWithoutReplyError()))
  })
  try {
    return await untilAborted(reply, signal)
  } catch (error) {
    outgoing.destroy()
    throw error
  }
}

/** Node gives a connection that was closed without a reply the code of one that was reset. */
const isHangUp = ({ code, message }: NodeJS.ErrnoException) => code === 'ECONNRESET' && message === 'socket hang up'
