import type { RawData, WebSocket } from 'ws'
import { decodeTerminalFrame, encodePast, terminalLimits } from '../../src/schemas/frames/terminal.ts'
import type { Log } from '../log.ts'
import { HostUnavailableError, type Shell } from '../machines/hosts/host.ts'
import { createOutputFlow } from './outputFlow.ts'
import { createOutputFrames } from './outputFrames.ts'
import type { OutputHistories, PastOutput } from './outputHistory.ts'
import { closeUnavailable, type Serve } from './sessionSocket.ts'
import type { StreamSession } from './sessions.ts'
import { type OutputReceiver, readUnwatched } from './unwatchedOutput.ts'

/** Size until the client has sent its own. */
const initialSize = { rows: 24, cols: 80 }
/** Bytes of input waiting for the program at which the client's socket is paused and resumed. */
const inputLimits = { pause: 1024 * 1024, resume: 256 * 1024 }
/** Milliseconds between two checks whether the program, or the browser, reads again. */
const pollMs = 20
/** Maximum time to send a shell's last output, in milliseconds. */
const maxFlushMs = 5000

interface Services {
  log: Pick<Log, 'error'>
  histories: OutputHistories
}

/** Connects the sockets of a session with a shell of its own (docs/contract/CONTRACT.md#101-wsterminalsession_id). */
export function serveTerminal({ log, histories }: Services): Serve {
  return (session) => {
    const sockets = new Set<WebSocket>()
    const history = histories.open()
    session.onEnd(history.close)
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
        shell.onExit(() => {
          receiver?.flush()
          void untilSent(sockets).then(() => session.end('exited'))
        })
        shell.onData((bytes) => {
          if (hasEnded) return
          history.add(bytes)
          receiver?.add(bytes)
        })
      },
      (error: unknown) => {
        if (error instanceof HostUnavailableError) return
        log.error(`A shell on ${session.server.name} cannot be opened:`, error)
      },
    )
    return (socket, { stays, offset }) => {
      sockets.add(socket)
      const isAgain = !isFirst
      isFirst = false
      socket.on('close', () => sockets.delete(socket))
      // Input typed meanwhile waits in the connection.
      socket.pause()
      opening.then(
        (shell) => {
          if (socket.readyState !== socket.OPEN) return
          const next = connect(socket, shell, session, stays)
          if (isAgain && offset !== undefined) sendPast(socket, history.since(offset), next)
          giveTo(next, shell)
          socket.on('close', () => {
            if (receiver === next) giveTo(readUnwatched(shell), shell)
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

/** What the shell has printed before, after a word about it: see `encodePast`. */
function sendPast(socket: WebSocket, { pieces, ...past }: PastOutput, to: OutputReceiver): void {
  socket.send(encodePast(past))
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

/** Output goes to the newest socket; all of them may send input. */
function connect(socket: WebSocket, shell: Shell, session: StreamSession, stays: () => boolean): OutputReceiver {
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
    session.count('bytes_in', bytes.length)
    session.used()
    shell.write(bytes)
    if (shell.pendingInputBytes() > inputLimits.pause) waitForProgram()
  }

  /** Unlimited waiting input would fill the memory. */
  function waitForProgram(): void {
    if (socket.isPaused) return
    socket.pause()
    // The client's acknowledgements now wait behind its input: output must not wait for them.
    flow.update()
    const timer = setInterval(() => {
      if (shell.pendingInputBytes() > inputLimits.resume) return
      clearInterval(timer)
      socket.resume()
    }, pollMs)
    socket.on('close', () => clearInterval(timer))
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
    if (frame?.kind === 'resize') shell.resize(frame)
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
