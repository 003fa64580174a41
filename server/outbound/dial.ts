import { connect, isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorCode } from '../../src/domain/errors.ts'
import { fieldsIn } from '../../src/schemas/define/values.ts'
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
      const { address } = fieldsIn(error)
      throw new DialError(typeof address === 'string' ? address : addresses[0], error)
    }
  }

/** Milliseconds after which the next address is tried as well, as RFC 8305 has it. */
const nextAddressMs = 250

/** Attempts at the addresses of a name: whoever owns it can enter thousands, those of others among them. */
const maxAttempts = 16

/** Errors of a machine without a way to an address, as without IPv6: what another address says is worth more. */
const noWay = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * Connects to one of these addresses and no other: the first that answers. None is given up for the next one, as Node
 * does after a quarter of a second: a slow way may be the only one. IPv4 and IPv6 take turns; 16 addresses are tried.
 * @param signal aborts the attempt; it has no effect afterwards
 * @throws the error of the first address that can be reached at all
 */
export function openSocket(
  addresses: readonly [string, ...string[]],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const left = inTurns(addresses).slice(0, maxAttempts)
    const trying = new Set<Socket>()
    let timer: NodeJS.Timeout | undefined
    let failure: Error | undefined

    const abort = () => settle(() => reject(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    tryNext()

    function tryNext(): void {
      clearTimeout(timer)
      const host = left.shift()
      if (host === undefined) {
        if (trying.size === 0) settle(() => reject(failure))
        return
      }
      const socket = connect({ host, port })
      trying.add(socket)
      socket.once('connect', () => {
        trying.delete(socket)
        socket.setNoDelay(true)
        settle(() => resolve(socket))
      })
      // It stays: whoever gets the socket listens a turn later, and an error that nobody hears would end the process.
      socket.on('error', (error) => {
        if (!trying.delete(socket)) return
        if (!failure || noWay.has(errorCode(failure) ?? '')) failure = error
        tryNext()
      })
      if (left.length > 0) timer = setTimeout(tryNext, nextAddressMs)
    }

    function settle(done: () => void): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      for (const socket of trying) socket.destroy()
      trying.clear()
      done()
    }
  })
}

/** IPv4 and IPv6 by turns, beginning with the kind of the first: all of a kind may be out of reach. */
function inTurns(addresses: readonly string[]): string[] {
  const preferred = isIP(addresses[0] ?? '')
  const first = addresses.filter((address) => isIP(address) === preferred)
  const second = addresses.filter((address) => isIP(address) !== preferred)
  const turns = Array.from({ length: Math.max(first.length, second.length) }, (_, index) => [
    first[index],
    second[index],
  ])
  return turns.flat().filter((address) => address !== undefined)
}
