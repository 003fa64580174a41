import type { RecordingState } from '../../src/schemas/frames/terminal.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import type { Log } from '../log.ts'
import { ApiError } from '../wire/apiError.ts'
import { followOutput } from './followOutput.ts'
import type { LiveTerminal } from './liveTerminals.ts'
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

/** Records terminals: output only, so that what is typed and not shown is in no file. */
export interface Recorder {
  /** Begins where the settings want it. To be called when a shell is there. */
  started(terminal: LiveTerminal): void
  /** Begins or ends by the wish of the owner. @throws ApiError where the settings leave them no choice */
  turn(terminal: LiveTerminal, isOn: boolean): void
  stateOf(terminal: LiveTerminal): RecordingState
  /** Resolves when all that has ended is on the disk. */
  settled(): Promise<unknown>
}

export function createRecorder({ files, settings, audit, log, now }: Services): Recorder {
  const running = new Map<LiveTerminal, { state: 'on' | 'always'; stop: (outcome: string) => void }>()
  const cutShort = new WeakSet<LiveTerminal>()
  const writing = new Set<Promise<unknown>>()

  const mustRecord = ({ session }: LiveTerminal) => {
    const { which, servers } = settings()
    return which === 'all' || servers[session.server.id] === true
  }
  const mayChoose = () => settings().which === 'button'

  function note({ session }: LiveTerminal, action: string, detail: Readonly<Record<string, string | number>>): void {
    const { id, person, server } = session
    const target = `server ${server.id}`
    audit.write({ action, person, address: '', target, detail: { session: shortId(id), ...detail } })
  }

  function begin(terminal: LiveTerminal, state: 'on' | 'always', storage: RecordingFiles): void {
    const { session } = terminal
    const began = now()
    let file: OpenRecording | undefined
    let stopWriting: (() => void) | undefined
    let hasStopped = false
    const stop = (outcome: string) => {
      if (hasStopped) return
      hasStopped = true
      running.delete(terminal)
      forgetEnd()
      stopWriting?.()
      const seconds = Math.round((now() - began) / 1000)
      note(terminal, 'recording.end', { outcome, seconds, ...(file && { recording: file.id }) })
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
    const from = terminal.history.since(Number.POSITIVE_INFINITY, 0).end
    const creating = storage.tidy(settings().keptMs).then(() =>
      storage.create(header, about, (error) => {
        log.error(`The recording of a terminal on ${server.name} cannot be written:`, error)
        cut('it could not be written')
      }),
    )
    track(
      creating.then(
        (created) => {
          file = created
          const end = record(terminal, created, {
            from: state === 'always' ? 0 : from,
            began,
            now,
            onFull: () => cut('it was full'),
          })
          stopWriting = () => {
            end()
            track(created.end())
          }
          if (hasStopped) stopWriting()
          else
            note(terminal, 'recording.begin', { recording: created.id, why: state === 'always' ? 'settings' : 'owner' })
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
      if (files && mustRecord(terminal)) begin(terminal, 'always', files)
    },
    turn(terminal, isOn) {
      const current = running.get(terminal)
      if (!files || !mayChoose() || current?.state === 'always') {
        throw new ApiError('the settings say whether terminals are recorded')
      }
      if (!isOn) current?.stop('the owner ended it')
      else if (!current) begin(terminal, 'on', files)
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

interface RecordOptions {
  /** Where in the output it begins. */
  from: number
  began: number
  now: () => number
  onFull: () => void
}

/** Writes what a terminal prints as events of asciicast v2. @returns how to end that */
function record(terminal: LiveTerminal, file: OpenRecording, { from, began, now, onFull }: RecordOptions): () => void {
  const decoder = new TextDecoder()
  const write = (code: 'o' | 'r', text: string) => {
    if (text === '') return
    const seconds = Math.max(0, now() - began) / 1000
    if (!file.write(`${JSON.stringify([seconds, code, text])}\n`, seconds)) onFull()
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
