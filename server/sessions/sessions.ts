import { randomUUID } from 'node:crypto'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Host } from '../machines/hosts/host.ts'
import { isAdmin, mayReach, type Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'

export type SessionKind = 'terminal' | 'file'

/** An open terminal or file session on a machine, from its creation to its end. */
export interface StreamSession {
  /** Random, so that the address of the socket cannot be guessed. */
  readonly id: string
  readonly kind: SessionKind
  /** Who created it; admins may attach to it as well. */
  readonly person: Person
  readonly server: SessionServer
  readonly host: Host
  /** Ends it, once: its sockets are closed and no other can attach. @param outcome why, for the audit log */
  end(outcome: string): void
  /** Calls `listener` when it ends, to release resources; at once when it has ended already. */
  onEnd(listener: () => void): void
  /** Adds to a counter such as `bytes_out`, which the audit log records at the end. */
  count(counter: string, amount: number): void
  /**
   * Records an action in the audit log; person, address and server are filled in. Never content.
   * @param action `<kind>.<verb>`, as `file.upload`
   */
  note(action: string, detail?: Readonly<Record<string, string | number | boolean>>): void
}

/** Who opens something, and on which machine. */
export interface SessionRequest {
  person: Person
  /** The person's address, '' when unknown. */
  address: string
  server: SessionServer
  host: Host
}

/** The server of a session, when it was created. */
export interface SessionServer {
  id: number
  name: string
  ownerId: number
}

/** All open sessions of both kinds, which share the limits. */
export interface StreamSessions {
  /** @throws ApiError when the person or the machine has too many */
  create(kind: SessionKind, request: SessionRequest): StreamSession
  /** The session, if this person may attach to it now. */
  find(kind: SessionKind, id: string, person: Person | undefined): StreamSession | undefined
  /** A socket has attached: the session no longer expires. @param address of the person */
  attached(session: StreamSession, by: { person: Person; address: string }): void
  endAll(outcome: string): void
}

/** See docs/contract/CONTRACT.md#513-terminal-and-file-sessions. */
export const sessionLimits = { perPerson: 20, perServer: 40, unattachedMs: 60_000 }

interface OpenSession {
  session: StreamSession
  /** Milliseconds since 1970; `undefined` once a socket has attached. */
  expires: number | undefined
}

/** @param now the clock, in milliseconds since 1970 */
export function createStreamSessions({ audit, now }: { audit: AuditLog; now: () => number }): StreamSessions {
  const openSessions = new Map<string, OpenSession>()

  /** A waiting session uses no resources, so that checking on demand is enough. */
  function dropExpired(): void {
    for (const { session, expires } of openSessions.values()) {
      if (expires !== undefined && expires <= now()) openSessions.delete(session.id)
    }
  }

  function refuseBeyondLimits({ person, server }: SessionRequest): void {
    const open = [...openSessions.values()].map(({ session }) => session)
    if (open.filter((session) => session.person.id === person.id).length >= sessionLimits.perPerson) {
      throw new ApiError('too many concurrent streams for this user')
    }
    if (open.filter((session) => session.server.id === server.id).length >= sessionLimits.perServer) {
      throw new ApiError('too many concurrent streams for this server')
    }
  }

  function open(kind: SessionKind, { person, address, server, host }: SessionRequest): StreamSession {
    const id = randomUUID()
    const began = now()
    const counters: Record<string, number> = {}
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
        const wasAttached = openSessions.get(id)?.expires === undefined
        openSessions.delete(id)
        for (const listener of listeners) listener()
        if (wasAttached)
          session.note(`${kind}.end`, { outcome, ...counters, seconds: Math.round((now() - began) / 1000) })
      },
      onEnd(listener) {
        if (hasEnded) listener()
        else listeners.push(listener)
      },
      count(counter, amount) {
        counters[counter] = (counters[counter] ?? 0) + amount
      },
      note(action, detail) {
        audit.write({ action, person, address, target: targetOf(session), detail: { session: shortId(id), ...detail } })
      },
    }
    return session
  }

  return {
    create(kind, request) {
      dropExpired()
      refuseBeyondLimits(request)
      const session = open(kind, request)
      openSessions.set(session.id, { session, expires: now() + sessionLimits.unattachedMs })
      return session
    },
    find(kind, id, person) {
      dropExpired()
      const session = openSessions.get(id)?.session
      if (!person || session?.kind !== kind) return undefined
      if (!mayReach(person, [session.server.id])) return undefined
      return session.person.id === person.id || isAdmin(person) ? session : undefined
    },
    attached(session, { person, address }) {
      const openSession = openSessions.get(session.id)
      if (openSession) openSession.expires = undefined
      const target = targetOf(session)
      audit.write({ action: `${session.kind}.open`, person, address, target, detail: { session: shortId(session.id) } })
    },
    endAll(outcome) {
      for (const { session } of [...openSessions.values()]) session.end(outcome)
    },
  }
}

const targetOf = ({ server }: Pick<StreamSession, 'server'>) => `server ${server.id}`

/** Enough to authenticate a session's entries in the audit log. */
export const shortId = (id: string) => id.slice(0, 8)
