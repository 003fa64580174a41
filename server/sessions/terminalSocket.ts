import type { RawData, WebSocket } from 'ws'
import { decodeFrame, terminalLimits } from '../../src/schemas/frames/terminal.ts'
import type { Log } from '../log.ts'
import type { Shell } from '../machines/hosts/host.ts'
import { createOutputFlow } from './outputFlow.ts'
import { createOutputFrames } from './outputFrames.ts'
import type { Serve } from './sessionSocket.ts'
import type { StreamSession } from './sessions.ts'

/** Until the client has told its own. */
const firstSize = { rows: 24, cols: 80 }
/** Bytes of typed input that wait for the program; the client waits meanwhile. */
const inputLimits = { pause: 1024 * 1024, resume: 256 * 1024 }
/** Milliseconds between two looks whether the program reads again, or the browser. */
const patienceMs = 20
/** The longest that a shell's last words may take, in milliseconds. */
const lastWordsMs = 5000

/** Connects the sockets of a session with a shell of its own (docs/contract/CONTRACT.md#101-wsterminalsession_id). */
export function serveTerminal(log: Pick<Log, 'error'>): Serve {
  return (session) => {
    const sockets = new Set<WebSocket>()
    const opening = session.host.openShell(firstSize)
    opening.then(
      (shell) => {
        session.onEnd(() => void shell.kill())
      },
      (error: unknown) => log.error(`A shell on ${session.server.name} cannot be opened:`, error),
    )
    return (socket) => {
      sockets.add(socket)
      // What is typed meanwhile waits in the connection.
      socket.pause()
      opening.then(
        (shell) => {
          const flush = connect(socket, shell, session)
          shell.onExit(() => {
            flush()
            void allSent(sockets).then(() => session.end('exited'))
          })
        },
        (error: Error) => sayAndEnd(socket, session, `The shell cannot be started: ${error.message}`),
      )
    }
  }
}

function sayAndEnd(socket: WebSocket, session: StreamSession, text: string): void {
  socket.send(Buffer.from(`${text}\r\n`), () => session.end('no shell'))
}

/** Resolves when what was printed last has left, or nobody takes it. An end without a close frame drops the rest. */
async function allSent(sockets: ReadonlySet<WebSocket>): Promise<void> {
  const isSent = () => [...sockets].every(({ bufferedAmount }) => bufferedAmount === 0)
  for (let waited = 0; waited < lastWordsMs && !isSent(); waited += patienceMs) await pause(patienceMs)
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Output goes to the socket that came last; all of them may type.
 * @returns what sends at once all that has come
 */
function connect(socket: WebSocket, shell: Shell, session: StreamSession): () => void {
  const flow = createOutputFlow({
    pause: shell.pause,
    resume: shell.resume,
    buffered: () => socket.bufferedAmount,
    isDeaf: () => socket.isPaused,
  })
  const frames = createOutputFrames((frame) => {
    if (socket.readyState !== socket.OPEN) return
    session.count('bytes_out', frame.length)
    socket.send(frame, { binary: true }, () => flow.look())
    flow.sent(frame.length)
  })
  shell.onData(frames.add)

  function type(bytes: Uint8Array): void {
    session.count('bytes_in', bytes.length)
    shell.write(bytes)
    if (shell.waiting() > inputLimits.pause) waitForProgram()
  }

  /** Without end the waiting input would fill the memory. */
  function waitForProgram(): void {
    if (socket.isPaused) return
    socket.pause()
    // What the client says about output waits behind its input now: output must not wait for that.
    flow.look()
    const timer = setInterval(() => {
      if (shell.waiting() > inputLimits.resume) return
      clearInterval(timer)
      socket.resume()
    }, patienceMs)
    session.onEnd(() => clearInterval(timer))
  }

  socket.on('message', (data: RawData, isBinary) => {
    const bytes = data as Buffer
    if (bytes.length > terminalLimits.message) {
      socket.close(1009)
      session.end('message too large')
      return
    }
    if (!isBinary) return type(bytes)
    const frame = decodeFrame(bytes)
    if (frame?.kind === 'input') type(frame.bytes)
    if (frame?.kind === 'resize') shell.resize(frame)
    if (frame?.kind === 'consumed') flow.consumed(frame.bytes)
  })
  socket.resume()
  return frames.flush
}
