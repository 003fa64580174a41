import type { Socket } from 'node:net'
import { NatError } from './natError.ts'

/** A forwarded request or tunnel that is open. */
export interface OpenRequest {
  profileId: number
  client: Socket
  /** Whether it may stay open; called at every check. */
  isStillAllowed(): boolean
  /** How long it may be without data at this stage. */
  idleLimitMs(): number
  /** Called when it was without data for too long. */
  onIdle(): void
}

/** All open requests and tunnels: limits their number, and checks them regularly. */
export interface OpenRequests {
  /** @returns a function to call at its end @throws NatError when there are too many */
  add(request: OpenRequest): () => void
  /** Closes all of them. */
  closeAll(): void
}

interface Limits {
  /** Between two checks. */
  checkIntervalMs: number
  perProfile: number
  total: number
}

export function createOpenRequests({ checkIntervalMs, perProfile, total }: Limits): OpenRequests {
  const open = new Map<OpenRequest, { bytes: number; idleChecks: number }>()
  const countByProfile = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  function checkAll(): void {
    for (const [request, activity] of open) {
      const { client } = request
      const bytes = client.bytesRead + client.bytesWritten
      activity.idleChecks = bytes === activity.bytes ? activity.idleChecks + 1 : 0
      activity.bytes = bytes
      if (!request.isStillAllowed()) client.destroy()
      else if (activity.idleChecks > request.idleLimitMs() / checkIntervalMs) request.onIdle()
    }
  }

  function remove(request: OpenRequest): void {
    if (!open.delete(request)) return
    const left = (countByProfile.get(request.profileId) ?? 1) - 1
    if (left > 0) countByProfile.set(request.profileId, left)
    else countByProfile.delete(request.profileId)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(request) {
      const { profileId } = request
      const count = (countByProfile.get(profileId) ?? 0) + 1
      if (count > perProfile || open.size >= total) {
        const text = 'Too many visitors are at the service behind this name. Try again in a moment.'
        throw new NatError(503, text, { 'retry-after': '5' })
      }
      countByProfile.set(profileId, count)
      open.set(request, { bytes: -1, idleChecks: 0 })
      timer ??= setInterval(checkAll, checkIntervalMs)
      return () => remove(request)
    },
    closeAll() {
      for (const { client } of [...open.keys()]) client.destroy()
    },
  }
}
