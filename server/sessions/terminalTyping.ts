import type { FastifyInstance, FastifyRequest } from 'fastify'
import { escapeControlCharacters } from '../../src/domain/terminal/controlCharacters.ts'
import { EscapeScanner } from '../../src/domain/terminal/escapeScanner.ts'
import { terminalEndpoints as endpoints } from '../../src/schemas/endpoints/terminalEndpoints.ts'
import { addAuditDetails, route } from '../http/routes/route.ts'
import { personOf } from '../person.ts'
import { ApiError } from '../wire/apiError.ts'
import { bodyReader } from '../wire/readJson.ts'
import { type LiveTerminal, type LiveTerminals, owner } from './liveTerminals.ts'
import { type StreamSession, shortId } from './sessions.ts'

/** Bytes of input that may wait for a program: what it does not read fills the memory of the server. */
const maxPendingBytes = 256 * 1024

interface Services {
  terminals: LiveTerminals
  /** @throws ApiError when there is none that this person may attach to */
  findOwn: (request: FastifyRequest, id: string) => StreamSession
}

/** The call that types a text into an open terminal, whichever window shows it. */
export function registerTerminalTyping(app: FastifyInstance, { terminals, findOwn }: Services): void {
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
