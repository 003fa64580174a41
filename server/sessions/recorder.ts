import type { RecordingState } from '../../src/schemas/frames/terminal.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Log } from '../log.ts'
import type { Person } from '../person.ts'
import { ApiError } from '../wire/apiCall.ts'
import { followOutput } from './followOutput.ts'
import type { LiveTerminal, PastOutput } from './liveTerminals.ts'
import type { OpenRecording, RecordingFiles } from './recordingFiles.ts'
import { shortId } from './sessions.ts'

/** At most 640 KiB of output in a second: what a program floods beyond that is left out, at the end of a line. */
const follow = { everyMs: 50, pieceBytes: 32 * 1024 }

/** Which terminals are recorded, by the settings. */
export interface TerminalRecordings {
  /** Those of no server, those whose owner wants it, or all. */
  which: 'none' | 'button' | 'all'
  /** Servers whose terminals are recorded in any case. */
  servers: Readonly<Record<string, true>>
  /** Milliseconds. */
  keptMs: number
}

interface Services {
  files: RecordingFiles | undefined
  settings: () => TerminalRecordings
  audit: AuditLog
  log: Pick<Log, 'error'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Who wants it, for the audit log. */
interface Asker {
  person: Person
  /** '' when unknown. */
  address: string
}

/** Records terminals: output only, so that what is typed and not shown is in no file. */
export interface Recorder {
  /** Begins where the settings want it. To be called when a shell is there. */
  started(terminal: LiveTerminal): void
  /** Begins or ends by the wish of the owner, or of an administrator. @throws ApiError where the settings leave them no choice */
  turn(terminal: LiveTerminal, isOn: boolean, by: Asker): void
  stateOf(terminal: LiveTerminal): RecordingState
  /** Resolves when all that has ended is on the disk. */
  settled(): Promise<unknown>
}

export function createRecorder({ files, settings, audit, log, now }: Services): Recorder {
  const running = new Map<LiveTerminal, { state: 'on' | 'always'; stop: (outcome: string, by?: Asker) => void }>()
  const cutShort = new WeakSet<LiveTerminal>()
  const writing = new Set<Promise<unknown>>()

  const mustRecord = ({ session }: LiveTerminal) => {
    const { which, servers } = settings()
    return which === 'all' || servers[session.server.id] === true
  }
  const mayChoose = () => settings().which === 'button'

  function note(
    { session }: LiveTerminal,
    action: string,
    detail: Readonly<Record<string, string | number>>,
    by: Asker = { person: session.person, address: '' },
  ): void {
    const { id, server } = session
    audit.write({ action, ...by, target: `server ${server.id}`, detail: { session: shortId(id), ...detail } })
  }

  /** @param by who wants it; absent where the settings do */
  function begin(terminal: LiveTerminal, storage: RecordingFiles, by?: Asker): void {
    const { session } = terminal
    const state = by ? 'on' : 'always'
    const began = now()
    const from = state === 'always' ? 0 : terminal.history.since(Number.POSITIVE_INFINITY, 0).end
    let file: OpenRecording | undefined
    let stopWriting: (() => void) | undefined
    let hasStopped = false
    /** What was printed, where it has ended before there was a file. */
    let late: PastOutput | undefined
    const stop = (outcome: string, stopper?: Asker) => {
      if (hasStopped) return
      hasStopped = true
      running.delete(terminal)
      forgetEnd()
      if (stopWriting) stopWriting()
      else late = terminal.history.since(from)
      const seconds = Math.round((now() - began) / 1000)
      note(terminal, 'recording.end', { outcome, seconds, ...(file && { recording: file.id }) }, stopper)
      terminal.changed()
    }
    const cut = (outcome: string) => {
      cutShort.add(terminal)
      stop(outcome)
    }
    const forgetEnd = terminal.onEnd(() => stop('the terminal ended'))
    running.set(terminal, { state, stop })
    cutShort.delete(terminal)
    terminal.changed()

    const { server, person } = session
    const about = {
      server_id: server.id,
      server_name: server.name,
      user_id: person.id,
      username: person.username,
      by_settings: !by,
      began,
      session: shortId(session.id),
    }
    const { cols: width, rows: height } = terminal.size
    const title = `${person.username} · ${server.name} · ${new Date(began).toISOString()}`
    const header = {
      version: 2,
      width,
      height,
      timestamp: Math.floor(began / 1000),
      title,
      env: { TERM: 'xterm-256color' },
    }
    const tidied = storage.tidy(settings().keptMs).catch((error: unknown) => {
      log.error('Old recordings cannot be deleted:', error)
    })
    const creating = tidied.then(() =>
      storage.create(header, about, (error) => {
        log.error(`The recording of a terminal on ${server.name} cannot be written:`, error)
        cut('it could not be written')
      }),
    )
    track(
      creating.then(
        (created) => {
          file = created
          const end = record(late ? ended(terminal, late) : terminal, created, {
            from,
            began,
            now,
            onFull: () => cut('it was full'),
          })
          stopWriting = () => {
            end()
            track(created.end())
          }
          note(terminal, 'recording.begin', { recording: created.id, why: by ? 'button' : 'settings' }, by)
          if (hasStopped) stopWriting()
        },
        (error: unknown) => {
          log.error(`A terminal on ${server.name} cannot be recorded:`, error)
          cut('it could not be written')
        },
      ),
    )
  }

  function track(work: Promise<unknown>): void {
    writing.add(work)
    void work.finally(() => writing.delete(work))
  }

  return {
    started(terminal) {
      if (files && mustRecord(terminal)) begin(terminal, files)
    },
    turn(terminal, isOn, by) {
      const current = running.get(terminal)
      if (!files || !mayChoose() || current?.state === 'always') {
        throw new ApiError('the settings say whether terminals are recorded')
      }
      if (!isOn) current?.stop('ended by the button', by)
      else if (!current) begin(terminal, files, by)
    },
    stateOf(terminal) {
      const current = running.get(terminal)
      if (current) return current.state
      if (cutShort.has(terminal)) return 'ended'
      return files && mayChoose() ? 'off' : 'no'
    },
    async settled() {
      while (writing.size > 0) await Promise.allSettled(writing)
    },
  }
}

/** A terminal of which nothing more comes than what was kept at its end. */
const ended = ({ size }: LiveTerminal, late: PastOutput): RecordedTerminalOutput => ({
  size,
  history: { since: (offset) => (offset < late.end ? late : { ...late, from: offset, to: late.end, pieces: [] }) },
  onOutput: () => () => {},
  onChange: () => () => {},
})

type RecordedTerminalOutput = Pick<LiveTerminal, 'size' | 'history' | 'onOutput' | 'onChange'>

interface RecordOptions {
  /** Where in the output it begins. */
  from: number
  began: number
  now: () => number
  onFull: () => void
}

/** Writes what a terminal prints as events of asciicast v2. @returns how to end that */
function record(
  terminal: RecordedTerminalOutput,
  file: OpenRecording,
  { from, began, now, onFull }: RecordOptions,
): () => void {
  const decoder = new TextDecoder()
  let isFull = false
  const write = (code: 'o' | 'r', text: string) => {
    // A shorter text that still had room would follow on a gap that nobody sees.
    if (text === '' || isFull) return
    const seconds = Math.max(0, now() - began) / 1000
    isFull = !file.write(`${JSON.stringify([seconds, code, text])}\n`, seconds)
    if (isFull) onFull()
  }
  let { size } = terminal
  const forgetSize = terminal.onChange(() => {
    if (size === terminal.size) return
    size = terminal.size
    write('r', `${size.cols}x${size.rows}`)
  })
  const follower = followOutput(terminal, {
    ...follow,
    offset: from,
    hasRoom: () => !file.isBusy(),
    onPast: (word) => {
      if (word.from > from) write('o', `\x18\x1b[0m\r\n…\r\n${word.modes}`)
    },
    onPiece: (bytes) => write('o', decoder.decode(bytes, { stream: true })),
  })
  return () => {
    follower.flush()
    follower.stop()
    forgetSize()
  }
}
