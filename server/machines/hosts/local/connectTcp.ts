import type { Socket } from 'node:net'
import { errorCode } from '../../../../src/domain/errors.ts'
import { openSocket } from '../../../outbound/dial.ts'
import { resolveTarget, TargetNotAllowedError } from '../../../outbound/resolveTarget.ts'
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
    const socket = await openSocket(addresses, port, signal)
    // Detects a peer that disappeared without closing the connection.
    return socket.setKeepAlive(true, 30_000)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new ConnectError(errorMessage(error), { cause: error })
  }
}

function errorMessage(error: unknown): string {
  if (error instanceof TargetNotAllowedError) return targetNotAllowed
  if (error instanceof ApiError) return 'The target behind this name cannot be found: no such host.'
  const code = errorCode(error)
  if (code === 'ECONNREFUSED') return 'The service behind this name is not running.'
  return 'The service behind this name cannot be reached.'
}
