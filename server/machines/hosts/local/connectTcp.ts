import { connect, type Socket } from 'node:net'
import { resolveTarget, TargetNotAllowedError } from '../../../outbound/resolveTarget.ts'
import { fixedLookup } from '../../../outbound/sendRequest.ts'
import { ApiError } from '../../../wire/apiError.ts'
import { ConnectError } from '../host.ts'
import { parseTarget, targetNotAllowed } from '../parseTarget.ts'

/**
 * Connects to a TCP service in the network of this machine. A name is resolved once, and the connection goes to the
 * addresses that were checked; metadata services of clouds are never allowed.
 * @param target `host:port`; an IPv6 address in brackets
 * @param signal aborts the attempt to connect
 * @throws ConnectError, or the reason of `signal`
 */
export async function connectTcp(target: string, signal: AbortSignal): Promise<Socket> {
  const { host, port } = parseTarget(target)
  try {
    const addresses = await resolveTarget(host, { allowPrivate: true, signal })
    return await openSocket(addresses, port, signal)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new ConnectError(errorMessage(error), { cause: error })
  }
}

function openSocket(addresses: readonly [string, ...string[]], port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // With a name, Node calls `lookup` and tries one address after the other.
    const socket = connect({ host: 'target', port, lookup: fixedLookup(addresses), autoSelectFamily: true })
    const abort = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    socket.once('error', reject)
    socket.once('close', () => signal.removeEventListener('abort', abort))
    socket.once('connect', () => {
      signal.removeEventListener('abort', abort)
      socket.off('error', reject)
      socket.setNoDelay(true)
      // Detects a peer that disappeared without closing the connection.
      socket.setKeepAlive(true, 30_000)
      resolve(socket)
    })
  })
}

function errorMessage(error: unknown): string {
  if (error instanceof TargetNotAllowedError) return targetNotAllowed
  if (error instanceof ApiError) return 'The target behind this name cannot be found: no such host.'
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'The service behind this name is not running.'
  return 'The service behind this name cannot be reached.'
}
