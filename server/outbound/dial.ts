import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { fixedLookup } from './fixedLookup.ts'
import { resolveTarget, type TargetRules } from './resolveTarget.ts'

/** A connection to a port, and how long it took. */
export interface Dialed {
  stream: Duplex
  /** Milliseconds for the name; absent where another machine looks it up. */
  name?: number
  /** Milliseconds until the connection was made; absent where another machine makes it, and does not say when. */
  connect?: number
}

/**
 * Opens a connection: from this server, or from another machine.
 * @param host a name or an address, IPv6 without brackets
 * @param signal aborts the attempt
 * @throws ApiError, or an error of the connection
 */
export type Dial = (host: string, port: number, signal: AbortSignal) => Promise<Dialed>

/** The connection was refused, or failed; `cause` says why. */
export class DialError extends Error {
  readonly address: string

  constructor(address: string, cause: unknown) {
    super('the connection failed', { cause })
    this.address = address
  }
}

/**
 * Connects from this server, to addresses that were checked.
 * @param targetLabel names the target in the error
 * @throws DialError, TargetNotAllowedError when the target may not be called, ApiError when the name does not exist
 */
export const dialFromHere =
  ({ allowPrivate }: Pick<TargetRules, 'allowPrivate'>, targetLabel?: string): Dial =>
  async (host, port, signal) => {
    const startedAt = performance.now()
    const addresses = await resolveTarget(host, { allowPrivate, signal }, targetLabel)
    const resolvedAt = performance.now()
    try {
      const stream = await openSocket(addresses, port, signal)
      return { stream, name: resolvedAt - startedAt, connect: performance.now() - resolvedAt }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw new DialError(addresses[0], error)
    }
  }

/**
 * Connects to one of these addresses and no other.
 * @param signal aborts the attempt; it has no effect afterwards
 */
export function openSocket(
  addresses: readonly [string, ...string[]],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // With a name, Node calls `lookup` and tries one address after the other.
    const socket = connect({ host: 'target', port, lookup: fixedLookup(addresses), autoSelectFamily: true })
    const abort = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', reject)
    socket.once('close', () => signal.removeEventListener('abort', abort))
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', reject)
      // Whoever gets it listens a turn later, or fails before: an error that nobody hears would end the process.
      socket.on('error', () => {})
      socket.setNoDelay(true)
      resolve(socket)
    })
  })
}
