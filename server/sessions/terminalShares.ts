import { randomBytes, randomUUID } from 'node:crypto'
import type { ShareMode, TerminalPerson } from '../../src/schemas/frames/terminal.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Person } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { type LiveTerminal, owner } from './liveTerminals.ts'
import { type StreamSession, shortId } from './sessions.ts'

/** Guests of one terminal and of all, and milliseconds for which the place of one without a socket is kept. */
export const shareLimits = { perTerminal: 10, all: 200, keptMs: 60_000 }

/** Somebody who has joined a shared terminal. */
export interface Guest {
  /** Random: the address of their socket. */
  readonly id: string
  readonly person: Person
  readonly terminal: LiveTerminal
  /** How the terminal is shared now. */
  mode(): ShareMode
  /**
   * A socket has attached, in place of an earlier one.
   * @param close called when the guest has to go; `hasEnded`: because the terminal has
   * @returns to be called when the socket has closed, with whether it may come back
   */
  attached(close: (hasEnded: boolean) => void): (mayReturn: boolean) => void
  /** They have typed so many bytes. */
  typed(bytes: number): void
  /** Ends it, once. @param outcome why, for the audit log */
  leave(outcome: string): void
}

export interface TerminalShares {
  /** Shares a terminal, or changes how. @returns what stands in the link */
  share(terminal: LiveTerminal, mode: ShareMode): string
  /** @returns whether it was shared */
  unshare(session: StreamSession, outcome: string): boolean
  /** The terminal to which a link leads. */
  find(code: string): LiveTerminal | undefined
  /** @throws ApiError when there are too many guests */
  join(terminal: LiveTerminal, person: Person, address: string): Guest
  guest(id: string, person: Person): Guest | undefined
  /** How a terminal is shared, and who is in it beside its owner. */
  stateOf(session: StreamSession): { share?: ShareMode; guests: TerminalPerson[] }
}

interface Share {
  code: string
  mode: ShareMode
  terminal: LiveTerminal
  guests: Map<string, GuestPlace>
}

interface GuestPlace {
  guest: Guest
  isAttached: boolean
}

interface Services {
  audit: AuditLog
  /** The clock, in milliseconds since 1970. */
  now: () => number
  keptMs?: number
}

export function createTerminalShares({ audit, now, keptMs = shareLimits.keptMs }: Services): TerminalShares {
  /** By the id of the session. */
  const shares = new Map<string, Share>()
  const places = () => [...shares.values()].flatMap(({ guests }) => [...guests.values()])

  function addGuest(share: Share, person: Person, address: string): Guest {
    const { terminal, guests } = share
    const { session } = terminal
    const id = randomUUID()
    const began = now()
    let typedBytes = 0
    let hasJoined = false
    let close: (hasEnded: boolean) => void = () => {}
    let timer: NodeJS.Timeout | undefined
    const note = (action: string, detail: Readonly<Record<string, string | number>>) =>
      audit.write({
        action,
        person,
        address,
        target: `server ${session.server.id}`,
        detail: { session: shortId(session.id), owner: session.person.username, ...detail },
      })
    const waitForSocket = () => {
      timer = setTimeout(() => guest.leave('gone'), keptMs)
    }
    const guest: Guest = {
      id,
      person,
      terminal,
      mode: () => share.mode,
      attached(closeSocket) {
        clearTimeout(timer)
        close(false)
        close = closeSocket
        place.isAttached = true
        if (!hasJoined) note('terminal.join', { mode: share.mode })
        hasJoined = true
        terminal.changed()
        return (mayReturn) => {
          if (close !== closeSocket || !guests.has(id)) return
          close = () => {}
          place.isAttached = false
          if (mayReturn) waitForSocket()
          else guest.leave('closed')
          terminal.changed()
        }
      },
      typed(bytes) {
        typedBytes += bytes
      },
      leave(outcome) {
        clearTimeout(timer)
        if (!guests.delete(id)) return
        close(outcome === terminalEnded)
        const seconds = Math.round((now() - began) / 1000)
        if (hasJoined) note('terminal.leave', { outcome, bytes_in: typedBytes, seconds })
        terminal.changed()
      },
    }
    const place: GuestPlace = { guest, isAttached: false }
    guests.set(id, place)
    waitForSocket()
    return guest
  }

  function unshare(session: StreamSession, outcome: string): boolean {
    const share = shares.get(session.id)
    if (!share) return false
    shares.delete(session.id)
    for (const { guest } of [...share.guests.values()]) guest.leave(outcome)
    share.terminal.changed()
    return true
  }

  return {
    share(terminal, mode) {
      const { session } = terminal
      const existing = shares.get(session.id)
      const share = existing ?? { code: randomBytes(16).toString('base64url'), mode, terminal, guests: new Map() }
      share.mode = mode
      if (!existing) {
        shares.set(session.id, share)
        terminal.onEnd(() => void unshare(session, terminalEnded))
      }
      terminal.changed()
      return share.code
    },
    unshare,
    find: (code) => [...shares.values()].find((share) => share.code === code)?.terminal,
    join(terminal, person, address) {
      const share = shares.get(terminal.session.id)
      if (!share) throw new ApiError(notShared)
      // Who loads the page again has a place more each time, until the earlier ones are given up.
      const earlier = [...share.guests.values()].find(
        (place) => !place.isAttached && place.guest.person.id === person.id,
      )
      if (share.guests.size >= shareLimits.perTerminal) earlier?.guest.leave('made room')
      if (share.guests.size >= shareLimits.perTerminal || places().length >= shareLimits.all) {
        throw new ApiError('too many people are in this terminal')
      }
      return addGuest(share, person, address)
    },
    guest: (id, person) => places().find(({ guest }) => guest.id === id && guest.person.id === person.id)?.guest,
    stateOf(session) {
      const share = shares.get(session.id)
      if (!share) return { guests: [] }
      const present = [...share.guests.values()].filter(({ isAttached }) => isAttached)
      const guests = present.map(({ guest: { id, person } }): TerminalPerson => {
        const typed = share.terminal.typist !== owner && share.terminal.typist === id
        return { name: person.username, role: 'guest', typed }
      })
      return { share: share.mode, guests }
    },
  }
}

const terminalEnded = 'the terminal ended'

export const notShared = 'this terminal is not shared with you, or not any more'
