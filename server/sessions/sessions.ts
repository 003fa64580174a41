import { randomUUID } from 'node:crypto'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Host } from '../machines/hosts/host.ts'
import { isAdmin, mayReach, type Person } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'

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
  /**
   * Calls `listener` when it ends, to release resources; at once when it has ended already.
   * @returns how to stop that
   */
  onEnd(listener: () => void): () => void
  /** Somebody has typed something. */
  used(): void
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

/** A terminal as the list of open ones shows it. */
export interface SessionInfo {
  session: StreamSession
  /** Milliseconds since 1970: when it was opened, and when somebody typed in it last. */
  opened: number
  used: number
  /** Since when no browser shows it; absent while one does. */
  heldSince?: number
}

/** All open sessions of both kinds, which share the limits. */
export interface StreamSessions {
  /** @throws ApiError when the person or the machine has too many */
  create(kind: SessionKind, request: SessionRequest): StreamSession
  /** The session, if this person may attach to it now. */
  find(kind: SessionKind, id: string, person: Person | undefined): StreamSession | undefined
  /** Those of a kind to which a socket has attached once, and to which this person may attach. */
  list(kind: SessionKind, person: Person | undefined): SessionInfo[]
  /** The last socket of a session is gone: without another it ends when the time to hold it is over. */
  hold(session: StreamSession): void
  /** Ends what was held for too long. */
  endHeld(): void
  /** A socket has attached: the session no longer expires. @param address of the person */
  attached(session: StreamSession, by: { person: Person; address: string }): void
  endAll(outcome: string): void
}

/** See docs/contract/CONTRACT.md#513-terminal-and-file-sessions. */
export const sessionLimits = { perPerson: 20, perServer: 40, unattachedMs: 60_000 }

interface OpenSession extends SessionInfo {
  /** Milliseconds since 1970; `undefined` once a socket has attached. */
  expires: number | undefined
}

interface Services {
  audit: AuditLog
  /** The clock, in milliseconds since 1970. */
  now: () => number
  /** How long a terminal is held whose last socket is gone, in milliseconds; 0: it ends with it. */
  holdMs: () => number
}

export function createStreamSessions({ audit, now, holdMs }: Services): StreamSessions {
  const openSessions = new Map<string, OpenSession>()

  /** A waiting session uses no resources, so that checking on demand is enough. */
  function dropExpired(): void {
    for (const { session, expires } of openSessions.values()) {
      if (expires !== undefined && expires <= now()) openSessions.delete(session.id)
    }
  }

  function endHeld(): void {
    for (const { session, heldSince } of openSessions.values()) {
      if (heldSince !== undefined && heldSince + holdMs() <= now()) session.end('held until it expired')
    }
  }

  /**
   * A terminal that no browser shows keeps nobody from opening another: the one held longest makes room, of those that the
   * person reaches. A token that is limited to some servers ends nothing on others.
   */
  function makeRoom({ person, server }: SessionRequest): void {
    const open = [...openSessions.values()]
    const limit = (ofSame: OpenSession[], atMost: number, whose: 'user' | 'server') => {
      if (ofSame.length < atMost) return
      const held = ofSame.filter(
        ({ heldSince, session }) => heldSince !== undefined && mayReach(person, [session.server.id]),
      )
      const [longest] = held.sort((a, b) => (a.heldSince ?? 0) - (b.heldSince ?? 0))
      if (!longest) throw new ApiError(`too many concurrent streams for this ${whose}`)
      longest.session.end('made room')
    }
    const { perPerson, perServer } = sessionLimits
    limit(
      open.filter(({ session }) => session.person.id === person.id),
      perPerson,
      'user',
    )
    limit(
      open.filter(({ session }) => session.server.id === server.id && openSessions.has(session.id)),
      perServer,
      'server',
    )
  }

  function open(kind: SessionKind, { person, address, server, host }: SessionRequest): StreamSession {
    const id = randomUUID()
    const began = now()
    const counters: Record<string, number> = {}
    const listeners = new Set<() => void>()
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
        else listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      used() {
        const openSession = openSessions.get(id)
        if (openSession) openSession.used = now()
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
      makeRoom(request)
      const session = open(kind, request)
      const opened = now()
      openSessions.set(session.id, { session, opened, used: opened, expires: opened + sessionLimits.unattachedMs })
      return session
    },
    find(kind, id, person) {
      dropExpired()
      const session = openSessions.get(id)?.session
      return session && mayAttach(session, kind, person) ? session : undefined
    },
    list(kind, person) {
      return [...openSessions.values()].filter(
        ({ session, expires }) => expires === undefined && mayAttach(session, kind, person),
      )
    },
    hold(session) {
      const openSession = openSessions.get(session.id)
      if (openSession) openSession.heldSince = now()
    },
    endHeld,
    attached(session, { person, address }) {
      const openSession = openSessions.get(session.id)
      if (openSession) Object.assign(openSession, { expires: undefined, heldSince: undefined })
      const target = targetOf(session)
      audit.write({ action: `${session.kind}.open`, person, address, target, detail: { session: shortId(session.id) } })
    },
    endAll(outcome) {
      for (const { session } of [...openSessions.values()]) session.end(outcome)
    },
  }
}

function mayAttach(
  { kind, server, person: owner }: StreamSession,
  asked: SessionKind,
  person: Person | undefined,
): boolean {
  if (!person || kind !== asked || !mayReach(person, [server.id])) return false
  return owner.id === person.id || isAdmin(person)
}

const targetOf = ({ server }: Pick<StreamSession, 'server'>) => `server ${server.id}`

/** Enough to authenticate a session's entries in the audit log. */
export const shortId = (id: string) => id.slice(0, 8)
