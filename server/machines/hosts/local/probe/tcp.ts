import { connect } from 'node:net'
import { resolveTarget } from '../../../../outbound/resolveTarget.ts'
import { fixedLookup } from '../../../../outbound/sendRequest.ts'
import { ApiError } from '../../../../wire/apiError.ts'
import type { ProbeOptions, ProbeResult } from '../../probe.ts'

/** Opens a connection and closes it at once. @param target `host:port` */
export async function probeTcp(
  target: string,
  { timeoutMs, allowPrivate, signal }: ProbeOptions,
): Promise<ProbeResult> {
  const { host, port } = placeIn(target)
  const late = AbortSignal.timeout(timeoutMs)
  const patience = AbortSignal.any([late, ...(signal ? [signal] : [])])
  const addresses = await resolveTarget(host, { allowPrivate, signal: patience }, 'TCP target')
  const begin = performance.now()
  // From here on, the name counts for nothing: the connection goes to what was judged.
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: 'target', port, lookup: fixedLookup(addresses), signal: patience })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', (cause: NodeJS.ErrnoException) => reject(refusalOf(target, cause, late.aborted)))
  })
  return { outcome: 'up', delay: performance.now() - begin }
}

/** @throws ApiError for what is no `host:port` */
function placeIn(target: string): { host: string; port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(target) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  if (!host || port < 1 || port > 65_535) throw new ApiError(`${target} is no host:port, as example.com:443`)
  return { host, port }
}

function refusalOf(target: string, { code, message }: NodeJS.ErrnoException, isLate: boolean): ApiError {
  if (isLate) return new ApiError(`dial tcp ${target}: i/o timeout`)
  const why = code === 'ECONNREFUSED' ? 'connection refused' : message || code
  return new ApiError(`dial tcp ${target}: ${why}`)
}
