import { openSocket } from '../../../../outbound/dial.ts'
import { failureReason } from '../../../../outbound/failureReason.ts'
import { resolveTarget } from '../../../../outbound/resolveTarget.ts'
import { ApiError } from '../../../../wire/apiError.ts'
import type { ProbeOptions, ProbeResult } from '../../probe.ts'

/** Opens a connection and closes it immediately. @param target `host:port` */
export async function probeTcp(
  target: string,
  { timeoutMs, allowPrivate, signal }: ProbeOptions,
): Promise<ProbeResult> {
  const { host, port } = parseTarget(target)
  const timeout = AbortSignal.timeout(timeoutMs)
  const timeoutOrAbort = AbortSignal.any([timeout, ...(signal ? [signal] : [])])
  const addresses = await resolveTarget(host, { allowPrivate, signal: timeoutOrAbort }, 'TCP target')
  const startedAt = performance.now()
  // Connects to the addresses that were checked; the name is not resolved again.
  try {
    const socket = await openSocket(addresses, port, timeoutOrAbort)
    socket.destroy()
  } catch (cause) {
    throw toApiError(target, cause, timeout.aborted)
  }
  return { outcome: 'up', delay: performance.now() - startedAt }
}

/** @throws ApiError when the text is not `host:port` */
function parseTarget(target: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(target) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (!host || port < 1 || port > 65_535) throw new ApiError(`${target} is no host:port, as example.com:443`)
  return { host, port }
}

function toApiError(target: string, cause: unknown, isTimeout: boolean): ApiError {
  if (isTimeout) return new ApiError(`dial tcp ${target}: i/o timeout`)
  return new ApiError(`dial tcp ${target}: ${failureReason(cause)}`)
}
