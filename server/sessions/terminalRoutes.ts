import type { FastifyInstance, FastifyRequest } from 'fastify'
import { escapeControlCharacters } from '../../src/domain/terminal/controlCharacters.ts'
import { EscapeScanner } from '../../src/domain/terminal/escapeScanner.ts'
import {
  terminalEndpoints as endpoints,
  type SharedSnippet,
  snippetLimits,
} from '../../src/schemas/endpoints/terminalEndpoints.ts'
import type { Store } from '../db/store.ts'
import { addAuditDetails, auditNames, auditTarget, route } from '../http/routes/route.ts'
import { type Person, personOf } from '../person.ts'
import { ApiError, bodyReader, timestamp } from '../wire/apiCall.ts'
import { type LiveTerminal, type LiveTerminals, owner } from './liveTerminals.ts'
import type { Recorder } from './recorder.ts'
import { type SessionInfo, type StreamSession, type StreamSessions, shortId } from './sessions.ts'
import { notShared, type TerminalShares } from './terminalShares.ts'

interface ShareServices {
  terminals: LiveTerminals
  shares: TerminalShares
  recorder: Recorder
  /** @throws ApiError when there is none that this person may attach to */
  findOwn: (request: FastifyRequest, id: string) => StreamSession
  /** Whether a person may work on the machine of a session. */
  mayUse: (person: Person, session: StreamSession) => boolean
}

/** The calls about sharing and recording an open terminal. */
export function registerTerminalShares(
  app: FastifyInstance,
  { terminals, shares, recorder, findOwn, mayUse }: ShareServices,
): void {
  /** @throws ApiError when there is none, or its shell is not there yet */
  function findTerminal(request: FastifyRequest, id: string): LiveTerminal {
    const session = findOwn(request, id)
    const terminal = terminals.find(session.id)
    if (!terminal) throw new ApiError('terminal not found')
    addAuditDetails(request, { target: `server ${session.server.id}`, detail: { session: shortId(session.id) } })
    return terminal
  }

  route(
    app,
    { name: 'shareTerminal', audit: 'terminal.share' },
    endpoints.shareTerminal,
    bodyReader(endpoints.shareTerminal),
    (request) => {
      const { mode } = request.body
      const terminal = findTerminal(request, request.params.session)
      addAuditDetails(request, {
        target: `server ${terminal.session.server.id}`,
        detail: { session: request.params.session, mode },
      })
      return { code: shares.share(terminal, mode) }
    },
  )
  route(app, { name: 'unshareTerminal', audit: 'terminal.unshare' }, endpoints.unshareTerminal, (request) => {
    shares.unshare(findTerminal(request, request.params.session).session, 'the share ended')
  })
  route(app, 'joinTerminal', endpoints.joinTerminal, (request) => {
    const person = personOf(request)
    const terminal = shares.find(request.params.code)
    // One answer for both: whether a link is right is no business of who may not use it.
    if (!terminal || !mayUse(person, terminal.session)) throw new ApiError(notShared)
    const { id } = shares.join(terminal, person, request.address)
    const { server, person: opener } = terminal.session
    return { session_id: id, server_id: server.id, server_name: server.name, username: opener.username }
  })
  route(app, 'recordTerminal', endpoints.recordTerminal, bodyReader(endpoints.recordTerminal), (request) => {
    const by = { person: personOf(request), address: request.address }
    recorder.turn(findTerminal(request, request.params.session), request.body.is_on, by)
  })
}

/** Bytes of input that may wait for a program: what it does not read fills the memory of the server. */
const maxPendingBytes = 256 * 1024

interface TypingServices {
  terminals: LiveTerminals
  /** @throws ApiError when there is none that this person may attach to */
  findOwn: (request: FastifyRequest, id: string) => StreamSession
}

/** The call that types a text into an open terminal, whichever window shows it. */
export function registerTerminalTyping(app: FastifyInstance, { terminals, findOwn }: TypingServices): void {
  const takesMarks = createMarks()
  route(
    app,
    { name: 'typeIntoTerminal', audit: 'terminal.type' },
    endpoints.typeIntoTerminal,
    bodyReader(endpoints.typeIntoTerminal),
    (request) => {
      const { text, runs } = request.body
      const { id, person, server } = findOwn(request, request.params.session)
      // Administrators find those of others in the list, and may end them. What runs there is for who opened it to say.
      if (person.id !== personOf(request).id) throw new ApiError('permission denied')
      const terminal = terminals.find(id)
      if (!terminal?.hasShell) throw new ApiError('terminal not found')
      if (terminal.pendingInputBytes() > maxPendingBytes) {
        throw new ApiError('the program in this terminal does not read what is typed')
      }
      const bytes = Buffer.from(pasted(text, takesMarks(terminal)) + (runs ? '\r' : ''))
      terminal.type(bytes, owner)
      addAuditDetails(request, {
        target: `server ${server.id}`,
        detail: { session: shortId(id), bytes_in: bytes.length, runs },
      })
    },
  )
}

/** A text as a window of the terminal would paste it. */
function pasted(text: string, hasMarks: boolean): string {
  const typed = escapeControlCharacters(text).replace(/\r?\n/g, '\r')
  return hasMarks && typed !== '' ? `\x1b[200~${typed}\x1b[201~` : typed
}

/** What was read of the output of a terminal so far. */
interface Reading {
  scanner: EscapeScanner
  /** Bytes of output since the beginning of the shell. */
  end: number
  hasMarks: boolean
}

/**
 * Makes the question whether the program in front wants marks around what is pasted, by what was printed last about that.
 * All of the output is read once, whatever the number of questions: a megabyte of sequences takes a tenth of a second.
 */
function createMarks(): (terminal: LiveTerminal) => boolean {
  const readings = new WeakMap<LiveTerminal, Reading>()
  const begun = (): Reading => ({ scanner: new EscapeScanner(), end: 0, hasMarks: false })
  return (terminal) => {
    const before = readings.get(terminal) ?? begun()
    const { from, to, modes, pieces } = terminal.history.since(before.end)
    // What was printed in between is not kept any more: its modes are.
    const reading = from === before.end ? before : begun()
    const onSequence = (sequence: string) => {
      if (sequence === 'c' || sequence === '[!p') reading.hasMarks = false
      const [, switched] = /^\[\?(?:\d+;)*2004(?:;\d+)*([hl])$/.exec(sequence) ?? []
      if (switched) reading.hasMarks = switched === 'h'
    }
    for (const piece of [Buffer.from(modes), ...pieces]) reading.scanner.read(piece, { onSequence })
    reading.end = to
    readings.set(terminal, reading)
    return reading.hasMarks
  }
}

interface HeldServices {
  sessions: StreamSessions
  /** Whether a person may still work on the machine of a session. */
  mayUse: (person: Person, session: StreamSession) => boolean
  /** Milliseconds. */
  holdMs: () => number
}

/**
 * Routes that the contract does not have: list, show and end open terminals.
 * @returns how to find one, by the id that the audit log gives it
 */
export function registerHeldTerminals(
  app: FastifyInstance,
  { sessions, mayUse, holdMs }: HeldServices,
): { find(request: FastifyRequest, id: string): StreamSession } {
  const listFor = ({ person }: FastifyRequest) =>
    sessions.list('terminal', person).filter(({ session }) => person && mayUse(person, session))

  /** @throws ApiError when there is none that this person may attach to */
  function find(request: FastifyRequest, id: string): StreamSession {
    const info = listFor(request).find(({ session }) => shortId(session.id) === id)
    if (!info) throw new ApiError('terminal not found')
    return info.session
  }

  const shown = ({ session, opened, used, heldSince }: SessionInfo, { person }: FastifyRequest) => ({
    id: shortId(session.id),
    server_id: session.server.id,
    server_name: session.server.name,
    username: session.person.username,
    is_own: session.person.id === person?.id,
    opened_at: timestamp(opened),
    used_at: timestamp(used),
    ...(heldSince !== undefined && { held_until: timestamp(heldSince + holdMs()) }),
  })

  route(app, 'heldTerminals', endpoints.heldTerminals, (request) =>
    listFor(request).map((info) => shown(info, request)),
  )
  route(app, 'attachTerminal', endpoints.attachTerminal, (request) => {
    const { id, server } = find(request, request.params.session)
    return { session_id: id, server_id: server.id, server_name: server.name }
  })
  route(app, { name: 'endTerminal', audit: 'terminal.close' }, endpoints.endTerminal, (request) => {
    const session = find(request, request.params.session)
    session.end('ended in the list')
    addAuditDetails(request, { target: `server ${session.server.id}`, detail: { session: shortId(session.id) } })
  })
  return { find }
}

interface Snippets {
  last: number
  items: SharedSnippet[]
}

const storeKey = 'snippets'

/** Snippets that everybody has, and administrators change. At most 800 KB of text: one value of the store. */
export function registerSnippets(app: FastifyInstance, store: Store): void {
  const read = (): Readonly<Snippets> => store.value<Snippets>(storeKey) ?? { last: 0, items: [] }

  function find(id: number): SharedSnippet {
    const snippet = read().items.find((one) => one.id === id)
    if (!snippet) throw new ApiError('this snippet does not exist any more')
    return snippet
  }

  route(app, 'snippets', endpoints.snippets, () => read().items)
  route(
    app,
    { name: 'saveSnippet', audit: 'snippet.update' },
    endpoints.saveSnippet,
    bodyReader(endpoints.saveSnippet),
    (request) => {
      const { id, name, text } = request.body
      const { last, items } = read()
      if (id !== undefined) find(id)
      if (items.some((one) => one.name === name && one.id !== id)) {
        throw new ApiError('there is a shared snippet of that name already')
      }
      if (id === undefined && items.length >= snippetLimits.count) {
        throw new ApiError(`there can be ${snippetLimits.count} shared snippets: delete one first`)
      }
      const saved = { id: id ?? last + 1, name, text }
      const others = items.filter((one) => one.id !== saved.id)
      store.setValue(storeKey, {
        last: Math.max(last, saved.id),
        items: [...others, saved].sort((a, b) => a.id - b.id),
      })
      addAuditDetails(request, { target: auditTarget('snippet', [saved.id]), detail: auditNames([name]) })
    },
  )
  route(app, { name: 'deleteSnippet', audit: 'snippet.delete' }, endpoints.deleteSnippet, (request) => {
    const { id, name } = find(request.params.id)
    const { last, items } = read()
    store.setValue(storeKey, { last, items: items.filter((one) => one.id !== id) })
    addAuditDetails(request, { target: auditTarget('snippet', [id]), detail: auditNames([name]) })
  })
}
