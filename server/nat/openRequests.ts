import type { Socket } from 'node:net'
import { NatFailure } from './failure.ts'

/** A request or a tunnel that is under way. */
export interface Visit {
  /** The profile by which it goes. */
  profileId: number
  client: Socket
  /** Whether it still may. Asked at every look. */
  mayStay(): boolean
  /** How long it may be silent at this stage. */
  patienceMs(): number
  /** Silent for too long. */
  onSilence(): void
}

/** All that is under way: bounded in number, and looked at while there is any. */
export interface Visits {
  /** @returns what to call at the end @throws NatFailure when there are too many */
  begin(visit: Visit): () => void
  /** Breaks off all of them. */
  endAll(): void
}

interface Limits {
  /** Milliseconds between two looks. */
  lookMs: number
  perProfile: number
  total: number
}

export function createVisits({ lookMs, perProfile, total }: Limits): Visits {
  const open = new Map<Visit, { bytes: number; silentLooks: number }>()
  const perId = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    for (const [visit, seen] of open) {
      const { client } = visit
      const bytes = client.bytesRead + client.bytesWritten
      seen.silentLooks = bytes === seen.bytes ? seen.silentLooks + 1 : 0
      seen.bytes = bytes
      if (!visit.mayStay()) client.destroy()
      else if (seen.silentLooks > visit.patienceMs() / lookMs) visit.onSilence()
    }
  }

  function end(visit: Visit): void {
    if (!open.delete(visit)) return
    const left = (perId.get(visit.profileId) ?? 1) - 1
    if (left > 0) perId.set(visit.profileId, left)
    else perId.delete(visit.profileId)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    begin(visit) {
      const { profileId } = visit
      const count = (perId.get(profileId) ?? 0) + 1
      if (count > perProfile || open.size >= total) {
        const text = 'Too many visitors are at the service behind this name. Try again in a moment.'
        throw new NatFailure(503, text, { 'retry-after': '5' })
      }
      perId.set(profileId, count)
      open.set(visit, { bytes: -1, silentLooks: 0 })
      timer ??= setInterval(look, lookMs)
      return () => end(visit)
    },
    endAll() {
      for (const { client } of [...open.keys()]) client.destroy()
    },
  }
}
