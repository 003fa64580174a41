import type { RawData, WebSocket } from 'ws'
import {
  decodeTerminalFrame,
  encodePast,
  encodeTerminalState,
  type TerminalState,
  terminalLimits,
} from '../../src/schemas/frames/terminal.ts'
import type { Log } from '../log.ts'
import { HostUnavailableError, type Shell } from '../machines/hosts/host.ts'
import { initialSize, type LiveTerminals, type OwnedTerminal, owner, type PastOutput } from './liveTerminals.ts'
import { createOutputFlow, createOutputFrames, type OutputReceiver, readUnwatched } from './outputFlow.ts'
import { closeUnavailable, type Serve } from './sessionSocket.ts'
import type { StreamSession } from './sessions.ts'

/** Bytes of input waiting for the program at which the client's socket is paused and resumed. */
const inputLimits = { pause: 1024 * 1024, resume: 256 * 1024 }
/** Milliseconds between two checks whether the program, or the browser, reads again. */
const pollMs = 20
/** Maximum time to send a shell's last output, in milliseconds. */
const maxFlushMs = 5000

interface Services {
  log: Pick<Log, 'error'>
  terminals: LiveTerminals
  /** What people are told of a terminal. */
  stateOf: (terminal: OwnedTerminal) => TerminalState
}

/** Connects the sockets of a session with a shell of its own (docs/contract/CONTRACT.md#101-wsterminalsession_id). */
export function serveTerminal({ log, terminals, stateOf }: Services): Serve {
  return (session) => {
    const sockets = new Set<WebSocket>()
    const terminal = terminals.open(session)
    let isFirst = true
    let hasEnded = false
    let receiver: OutputReceiver | undefined
    session.onEnd(() => {
      hasEnded = true
      receiver?.stop()
    })
    function giveTo(next: OutputReceiver, shell: Shell): void {
      if (hasEnded) return
      receiver?.flush()
      receiver?.stop()
      receiver = next
      // It may have waited for a socket that is gone.
      shell.resume()
    }
    const opening = session.host.openShell(initialSize)
    opening.then(
      (shell) => {
        session.onEnd(() => void shell.kill())
        giveTo(readUnwatched(shell), shell)
        terminal.start(shell)
        shell.onExit(() => {
          receiver?.flush()
          void untilSent(sockets).then(() => session.end('exited'))
        })
        shell.onData((bytes) => {
          if (hasEnded) return
          terminal.add(bytes)
          receiver?.add(bytes)
        })
      },
      (error: unknown) => {
        if (error instanceof HostUnavailableError) return
        log.error(`A shell on ${session.server.name} cannot be opened:`, error)
      },
    )
    return (socket, { stays, offset, hasState }) => {
      sockets.add(socket)
      if (hasState) sendState(socket, terminal, stateOf)
      const isAgain = !isFirst
      isFirst = false
      socket.on('close', () => sockets.delete(socket))
      // Input typed meanwhile waits in the connection.
      socket.pause()
      opening.then(
        (shell) => {
          if (socket.readyState !== socket.OPEN) return
          const next = connect(socket, shell, terminal, stays)
          if (isAgain && offset !== undefined) sendPast(socket, terminal.history.since(offset), next)
          // Who is told nothing reads it.
          if (!hasState && isRecorded(stateOf(terminal))) next.add(Buffer.from(recordedNotice))
          giveTo(next, shell)
          terminal.show(true)
          socket.on('close', () => {
            if (receiver !== next) return
            giveTo(readUnwatched(shell), shell)
            terminal.show(false)
          })
        },
        (error: Error) => {
          if (error instanceof HostUnavailableError) closeUnavailable(socket, session, error.reason)
          else sendAndEnd(socket, session, `The shell cannot be started: ${error.message}`)
        },
      )
    }
  }
}

/** What clients read that are told nothing else; it is no output of the shell, and in no recording. */
const recordedNotice = 'What this terminal prints is recorded.\r\n'

const isRecorded = ({ recording }: TerminalState) => recording === 'on' || recording === 'always'

/** Bytes that wait in a socket above which it is told nothing new of the terminal until it has read. */
const maxWaitingForState = 256 * 1024

/** What is needed of a socket to tell its client about the terminal. */
interface StateSocket extends Pick<WebSocket, 'readyState' | 'OPEN' | 'bufferedAmount'> {
  send(text: string): void
  on(event: 'close', listener: () => void): unknown
}

/**
 * Tells a client about the terminal, now and after each change. Who reads slowly is told of the latest change alone:
 * others can change who typed, and the size, as often as they like.
 */
export function sendState<Terminal extends Pick<OwnedTerminal, 'onChange'>>(
  socket: StateSocket,
  terminal: Terminal,
  stateOf: (terminal: Terminal) => TerminalState,
): void {
  let last = ''
  let timer: NodeJS.Timeout | undefined
  const send = () => {
    if (timer || socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > maxWaitingForState) {
      timer = setTimeout(() => {
        timer = undefined
        send()
      }, pollMs)
      return
    }
    const text = encodeTerminalState(stateOf(terminal))
    if (text === last) return
    last = text
    socket.send(text)
  }
  const forget = terminal.onChange(send)
  socket.on('close', () => {
    forget()
    clearTimeout(timer)
  })
  send()
}

/** What the shell has printed before, after a word about it: see `encodePast`. */
function sendPast(socket: WebSocket, { pieces, from, end, modes }: PastOutput, to: OutputReceiver): void {
  socket.send(encodePast({ from, to: end, modes }))
  for (const piece of pieces) to.add(piece)
  to.flush()
}

function sendAndEnd(socket: WebSocket, session: StreamSession, text: string): void {
  socket.send(Buffer.from(`${text}\r\n`), () => session.end('no shell'))
}

/** Resolves when the last output was sent, or after a limit. Ending without a close frame drops the rest. */
async function untilSent(sockets: ReadonlySet<WebSocket>): Promise<void> {
  const isSent = () => [...sockets].every(({ bufferedAmount }) => bufferedAmount === 0)
  for (let waited = 0; waited < maxFlushMs && !isSent(); waited += pollMs) await pause(pollMs)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Reads no more input while much of it waits for the program: without a limit it would fill the memory. */
export function waitForProgram(
  socket: WebSocket,
  { pendingInputBytes }: Pick<OwnedTerminal, 'pendingInputBytes'>,
  onPaused?: () => void,
): void {
  if (socket.isPaused || pendingInputBytes() <= inputLimits.pause) return
  socket.pause()
  onPaused?.()
  const timer = setInterval(() => {
    if (pendingInputBytes() > inputLimits.resume) return
    clearInterval(timer)
    socket.resume()
  }, pollMs)
  socket.on('close', () => clearInterval(timer))
}

/** Output goes to the newest socket; all of them may send input. */
function connect(socket: WebSocket, shell: Shell, terminal: OwnedTerminal, stays: () => boolean): OutputReceiver {
  const { session } = terminal
  let hasStopped = false
  const flow = createOutputFlow({
    pause: () => !hasStopped && shell.pause(),
    resume: () => !hasStopped && shell.resume(),
    buffered: () => socket.bufferedAmount,
    isInputPaused: () => socket.isPaused,
  })
  const frames = createOutputFrames((frame) => {
    if (socket.readyState !== socket.OPEN) return
    session.count('bytes_out', frame.length)
    socket.send(frame, { binary: true }, () => flow.update())
    flow.sent(frame.length)
  })

  function type(bytes: Uint8Array): void {
    terminal.type(bytes, owner)
    // The client's acknowledgements then wait behind its input: output must not wait for them.
    waitForProgram(socket, terminal, flow.update)
  }

  socket.on('message', (data: RawData, isBinary) => {
    // One that another window has replaced is about to close.
    if (socket.readyState !== socket.OPEN || !stays()) return
    const bytes = data as Buffer
    if (bytes.length > terminalLimits.message) {
      socket.close(1009)
      session.end('message too large')
      return
    }
    if (!isBinary) return type(bytes)
    const frame = decodeTerminalFrame(bytes)
    if (frame?.kind === 'input') type(frame.bytes)
    if (frame?.kind === 'resize') terminal.resize(frame)
    if (frame?.kind === 'consumed') flow.consumed(frame.bytes)
  })
  socket.resume()
  return {
    ...frames,
    stop() {
      hasStopped = true
    },
  }
}
