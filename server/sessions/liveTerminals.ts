import { EscapeScanner } from '../../src/domain/terminal/escapeScanner.ts'
import { SkippedModes } from '../../src/domain/terminal/skippedModes.ts'
import type { Shell, TerminalSize } from '../machines/hosts/host.ts'
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

/** What a terminal has printed, as far back as it is kept. Offsets are bytes since the beginning of the shell. */
interface OutputHistory {
  add(bytes: Uint8Array): void
  /**
   * The output from an offset on; from the oldest that is kept where that is gone, or the offset lies ahead.
   * @param atMost bytes of it. Default: all
   */
  since(offset: number, atMost?: number): PastOutput
  /** Gives the memory back. */
  close(): void
}

export interface PastOutput {
  /** Where `pieces` begin and end. */
  from: number
  to: number
  /** Where all output ends. */
  end: number
  /** Escape sequences that set what the output before `from` has set; '' where nothing was left out. */
  modes: string
  pieces: Uint8Array[]
}

/**
 * Bytes. A megabyte is some 10,000 lines, as many as the screen of the console keeps. A person has 20 terminals at most
 * (`sessionLimits`), so 20 MiB. Where all shells together would take more than `all`, each keeps an equal part of it: a
 * server for many people must not lose its memory to terminals.
 */
export const historyLimits = { perShell: 1024 * 1024, all: 128 * 1024 * 1024 }

/** Bytes that are allocated, and dropped, together. Each shell keeps at least two of these. */
const blockBytes = 32 * 1024
/** Bytes after which the end of a line is no longer looked for. */
const maxLine = 64 * 1024

interface OutputHistories {
  open(): OutputHistory
}

export function createOutputHistories({ perShell, all } = historyLimits): OutputHistories {
  const shrinkers = new Set<() => void>()
  const blocksOfEach = () => Math.max(2, Math.floor(Math.min(perShell, all / shrinkers.size) / blockBytes))

  function open(): OutputHistory {
    /** Each a view of a block, as far as it is filled; a new block is begun when the last one is full. */
    let blocks: Uint8Array[] = []
    let room: Uint8Array = new Uint8Array(0)
    /** A dropped block, for the next output: a flood would leave more to the garbage collector than is kept. */
    let spare: Uint8Array | undefined
    let start = 0
    let end = 0
    const scanner = new EscapeScanner()
    const modes = new SkippedModes()
    const onSequence = (sequence: string) => modes.add(sequence)

    function shrink(): void {
      if (blocks.length <= blocksOfEach()) return
      while (blocks.length > blocksOfEach()) {
        const block = blocks.shift() as Uint8Array
        scanner.read(block, { onSequence })
        start += block.length
        spare = new Uint8Array(block.buffer)
      }
      dropRestOfLine()
    }

    /** What is kept begins with a line, or where neither a character nor a sequence is cut. */
    function dropRestOfLine(): void {
      for (let size = 0; blocks[0]; ) {
        const stop = scanner.read(blocks[0], { stopAt: size < maxLine ? 'line' : 'character', onSequence })
        size += stop
        start += stop
        if (stop < blocks[0].length || blocks.length === 1) blocks[0] = blocks[0].subarray(stop)
        else blocks.shift()
        if (scanner.hasStopped || blocks.length === 1) break
      }
    }

    function add(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length; ) {
        if (room.length === 0) {
          room = spare ?? Buffer.allocUnsafeSlow(blockBytes)
          spare = undefined
          blocks.push(room.subarray(0, 0))
          shrink()
        }
        const part = bytes.subarray(at, at + room.length)
        room.set(part)
        const last = blocks.at(-1) as Uint8Array
        blocks[blocks.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + part.length)
        room = room.subarray(part.length)
        at += part.length
        end += part.length
      }
    }

    shrinkers.add(shrink)
    for (const one of shrinkers) one()
    return {
      add,
      since(offset, atMost = Number.POSITIVE_INFINITY) {
        const isKept = offset >= start && offset <= end
        const from = isKept ? offset : start
        const to = Math.min(end, from + atMost)
        let at = start
        const pieces = blocks.flatMap((block) => {
          // A copy: the block is written to again.
          const piece = block.slice(Math.max(0, from - at), Math.max(0, to - at))
          at += block.length
          return piece.length > 0 ? [piece] : []
        })
        return { from, to, end, modes: isKept ? '' : modes.text(), pieces }
      },
      close() {
        shrinkers.delete(shrink)
        blocks = []
        room = new Uint8Array(0)
        spare = undefined
      },
    }
  }

  return { open }
}
