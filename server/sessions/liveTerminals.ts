import type { Shell, TerminalSize } from '../machines/hosts/host.ts'
import type { OutputHistories, OutputHistory } from './outputHistory.ts'
import type { StreamSession } from './sessions.ts'

/** A terminal with a shell, for what is beside the window of its owner: guests, and the recording. */
export interface LiveTerminal {
  readonly session: StreamSession
  readonly history: Pick<OutputHistory, 'since'>
  /** In characters. */
  readonly size: TerminalSize
  /** Calls the listener after each piece of output, and returns how to stop that. */
  onOutput(listener: () => void): () => void
  /** Calls the listener when what people are told of the terminal may have changed. */
  onChange(listener: () => void): () => void
  /** Says that it may have. */
  changed(): void
  /** Calls the listener once, while the history is still there. */
  onEnd(listener: () => void): () => void
  /** Who typed last: the owner, or the id of a guest. */
  readonly typist: string
  /** Whether a window of the owner shows it. */
  readonly isShown: boolean
  /** Whether there is a shell yet. */
  readonly hasShell: boolean
  /** Types as `by`. */
  type(bytes: Uint8Array, by: string): void
  /** Bytes of input that the program has not read yet. */
  pendingInputBytes(): number
}

/** What the socket of the owner does with it. */
export interface OwnedTerminal extends LiveTerminal {
  start(shell: Shell): void
  add(bytes: Uint8Array): void
  resize(size: TerminalSize): void
  show(isShown: boolean): void
}

export interface LiveTerminals {
  /** Ends with the session. */
  open(session: StreamSession): OwnedTerminal
  /** By the id of its session. */
  find(sessionId: string): LiveTerminal | undefined
  all(): Iterable<LiveTerminal>
}

/** Who typed, where it was nobody who joined. */
export const owner = ''

/** Until the owner's window has sent its own. */
export const initialSize: TerminalSize = { rows: 24, cols: 80 }

/** @param onStart called when a shell is there */
export function createLiveTerminals(
  histories: OutputHistories,
  onStart: (terminal: LiveTerminal) => void = () => {},
): LiveTerminals {
  const terminals = new Map<string, OwnedTerminal>()

  function open(session: StreamSession): OwnedTerminal {
    const history = histories.open()
    const [output, changes, ends] = [createListeners(), createListeners(), createListeners()]
    let size = initialSize
    let shell: Shell | undefined
    let typist = owner
    let isShown = false
    const terminal: OwnedTerminal = {
      session,
      history,
      get size() {
        return size
      },
      onOutput: output.add,
      onChange: changes.add,
      changed: changes.call,
      onEnd: ends.add,
      get typist() {
        return typist
      },
      get isShown() {
        return isShown
      },
      get hasShell() {
        return shell !== undefined
      },
      type(bytes, by) {
        session.count('bytes_in', bytes.length)
        session.used()
        shell?.write(bytes)
        if (typist === by) return
        typist = by
        changes.call()
      },
      show(next) {
        isShown = next
        changes.call()
      },
      pendingInputBytes: () => shell?.pendingInputBytes() ?? 0,
      start(started) {
        shell = started
        onStart(terminal)
      },
      add(bytes) {
        history.add(bytes)
        output.call()
      },
      resize(next) {
        shell?.resize(next)
        if (next.rows === size.rows && next.cols === size.cols) return
        size = next
        changes.call()
      },
    }
    terminals.set(session.id, terminal)
    session.onEnd(() => {
      terminals.delete(session.id)
      ends.call()
      history.close()
    })
    return terminal
  }

  return { open, find: (id) => terminals.get(id), all: () => terminals.values() }
}

function createListeners() {
  const listeners = new Set<() => void>()
  return {
    add(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    call() {
      for (const listener of [...listeners]) listener()
    },
  }
}
