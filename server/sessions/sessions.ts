import { randomUUID } from 'node:crypto'
import type { Audit } from '../audit/auditLog.ts'
import type { Host } from '../machines/hosts/host.ts'
import { isAdmin, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'

export type SessionKind = 'terminal' | 'file'

/** A terminal or a file manager that somebody has open on a machine, from its creation to its end. */
export interface StreamSession {
  /** Not to be guessed: it is what the socket's address names. */
  readonly id: string
  readonly kind: SessionKind
  /** Who made it; admins may attach to it as well. */
  readonly person: Person
  readonly server: { id: number; name: string }
  readonly host: Host
  /** Ends it, once: its sockets are closed, and nobody can attach again. @param outcome why, for the audit log */
  end(outcome: string): void
  /** Calls `listener` when it ends: the place to kill, close and remove. At once when it has ended already. */
  onEnd(listener: () => void): void
  /** Adds to a figure that the audit log tells at the end, as `bytes_out`. */
  count(figure: string, amount: number): void
  /**
   * Writes down what was done in it: who, where from and which server are filled in. Never content.
   * @param action `<kind>.<verb>`, as `file.upload`
   */
  note(action: string, detail?: Readonly<Record<string, string | number | boolean>>): void
}

/** Who opens something, and on which machine. */
export interface SessionOrder {
  person: Person
  /** The person's, '' when it is not known. */
  address: string
  server: { id: number; name: string }
  host: Host
}

/** All sessions that are open, of both kinds: they share the limits. */
export interface StreamSessions {
  /** @throws ApiError when the person or the machine has too many */
  create(kind: SessionKind, order: SessionOrder): StreamSession
  /** The session, if this person may attach to it now. */
  find(kind: SessionKind, id: string, person: Person | undefined): StreamSession | undefined
  /** Somebody has attached: it is kept until it ends. @param address where they sit */
  attached(session: StreamSession, by: { person: Person; address: string }): void
  endAll(outcome: string): void
}

/** As the contract has them (5.13). */
export const sessionLimits = { perPerson: 20, perServer: 40, unattachedMs: 60_000 }

interface Place {
  session: StreamSession
  /** Milliseconds since 1970; without it somebody has attached. */
  expires: number | undefined
}

/** @param now the clock, in milliseconds since 1970 */
export function createStreamSessions({ audit, now }: { audit: Audit; now: () => number }): StreamSessions {
  const places = new Map<string, Place>()

  /** A session that waits holds nothing but its place, so it is enough to look when places matter. */
  function dropExpired(): void {
    for (const { session, expires } of places.values()) {
      if (expires !== undefined && expires <= now()) places.delete(session.id)
    }
  }

  function refuseBeyondLimits({ person, server }: SessionOrder): void {
    const open = [...places.values()].map(({ session }) => session)
    if (open.filter((session) => session.person.id === person.id).length >= sessionLimits.perPerson) {
      throw new ApiError('too many concurrent streams for this user')
    }
    if (open.filter((session) => session.server.id === server.id).length >= sessionLimits.perServer) {
      throw new ApiError('too many concurrent streams for this server')
    }
  }

  function open(kind: SessionKind, { person, address, server, host }: SessionOrder): StreamSession {
    const id = randomUUID()
    const began = now()
    const figures: Record<string, number> = {}
    const listeners: (() => void)[] = []
    let hasEnded = false
    const session: StreamSession = {
      id,
      kind,
      person,
      server,
      host,
      end(outcome) {
        if (hasEnded) return
        hasEnded = true
        const wasAttached = places.get(id)?.expires === undefined
        places.delete(id)
        for (const listener of listeners) listener()
        if (wasAttached)
          session.note(`${kind}.end`, { outcome, ...figures, seconds: Math.round((now() - began) / 1000) })
      },
      onEnd(listener) {
        if (hasEnded) listener()
        else listeners.push(listener)
      },
      count(figure, amount) {
        figures[figure] = (figures[figure] ?? 0) + amount
      },
      note(action, detail) {
        audit.write({ action, person, address, target: targetOf(session), detail: { session: shortId(id), ...detail } })
      },
    }
    return session
  }

  return {
    create(kind, order) {
      dropExpired()
      refuseBeyondLimits(order)
      const session = open(kind, order)
      places.set(session.id, { session, expires: now() + sessionLimits.unattachedMs })
      return session
    },
    find(kind, id, person) {
      dropExpired()
      const session = places.get(id)?.session
      if (!person || session?.kind !== kind) return undefined
      return session.person.id === person.id || isAdmin(person) ? session : undefined
    },
    attached(session, { person, address }) {
      const place = places.get(session.id)
      if (place) place.expires = undefined
      const target = targetOf(session)
      audit.write({ action: `${session.kind}.open`, person, address, target, detail: { session: shortId(session.id) } })
    },
    endAll(outcome) {
      for (const { session } of [...places.values()]) session.end(outcome)
    },
  }
}

const targetOf = ({ server }: Pick<StreamSession, 'server'>) => `server ${server.id}`

/** Enough to tell a session's lines from those of another one. */
export const shortId = (id: string) => id.slice(0, 8)
